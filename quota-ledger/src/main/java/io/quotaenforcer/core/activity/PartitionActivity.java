package io.quotaenforcer.core.activity;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.activity.HeavyHitters.Hitter;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.message.UsageReport;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the reports of one partition said lately: permits of about the last {@link #HALF_LIFE}, the
 * quota keys with most of them, and who reported. Its memory is bounded, whoever reports what. It
 * is forgotten when another enforcer takes the partition. Not for several threads at a time.
 */
public final class PartitionActivity {
  public static final HalfLife HALF_LIFE = new HalfLife(60_000_000_000L);

  /** Keys that are told apart, in each ranking. */
  static final int KEYS = 500;

  /** A longer key is part of the sums only. */
  static final int LONGEST_KEY = 1_000;

  static final int INSTANCES = 2_000;
  static final long INSTANCE_RETENTION_NANOS = 600_000_000_000L;

  private final long sinceNanos;
  private final Map<Ranking, HeavyHitters<QuotaKey>> rankings = new EnumMap<>(Ranking.class);
  private final Map<Ranking, DecayedSum> sums = new EnumMap<>(Ranking.class);
  private final DecayedSum reports = new DecayedSum(HALF_LIFE);
  private final DecayedSum loops = new DecayedSum(HALF_LIFE);
  private final DecayedSum loopNanos = new DecayedSum(HALF_LIFE);
  private final HeardInstances instances = new HeardInstances(INSTANCES, INSTANCE_RETENTION_NANOS);

  /**
   * Sums of a partition.
   *
   * @param loopNanos mean time from one answer to the next, as instances measured it; 0 if none has
   */
  public record Rates(
      double usedPerSecond, double throttledPerSecond, double reportsPerSecond, double loopNanos) {}

  /**
   * @param sinceNanos when this begins
   */
  public PartitionActivity(long sinceNanos) {
    this.sinceNanos = sinceNanos;
    for (Ranking ranking : Ranking.values()) {
      rankings.put(ranking, new HeavyHitters<>(KEYS, HALF_LIFE));
      sums.put(ranking, new DecayedSum(HALF_LIFE));
    }
  }

  /** A report came. */
  public void heard(UsageReport report, long now) {
    instances.add(report, now);
    reports.add(1, now);
    if (report.loopNanos() > 0) {
      loops.add(1, now);
      loopNanos.add(report.loopNanos(), now);
    }
  }

  /** Permits of a quota key were counted; what was put back is not taken off again. */
  public void counted(QuotaKey key, List<WindowCount> counts, long now) {
    double used = 0;
    double throttled = 0;
    for (WindowCount count : counts) {
      used += Math.max(0, count.used());
      throttled += Math.max(0, count.throttled());
    }
    add(Ranking.USED, key, used, now);
    add(Ranking.THROTTLED, key, throttled, now);
    add(Ranking.DEMAND, key, used + throttled, now);
  }

  private void add(Ranking ranking, QuotaKey key, double permits, long now) {
    if (permits > 0) {
      sum(ranking).add(permits, now);
      if (key.toString().length() <= LONGEST_KEY) {
        ranking(ranking).add(key, permits, now);
      }
    }
  }

  /** The quota keys with most permits per second, the largest first. */
  public List<Hitter<QuotaKey>> top(Ranking by, int most, long now) {
    return ranking(by).top(most, now).stream()
        .map(
            hitter ->
                new Hitter<>(
                    hitter.key(), perSecond(hitter.sum(), now), perSecond(hitter.over(), now)))
        .toList();
  }

  public Rates rates(long now) {
    double heard = loops.at(now);
    return new Rates(
        perSecond(sum(Ranking.USED).at(now), now),
        perSecond(sum(Ranking.THROTTLED).at(now), now),
        perSecond(reports.at(now), now),
        heard == 0 ? 0 : loopNanos.at(now) / heard);
  }

  public List<HeardInstance> instances(long now) {
    return instances.at(now);
  }

  private double perSecond(double sum, long now) {
    return HALF_LIFE.perSecond(sum, now - sinceNanos);
  }

  private HeavyHitters<QuotaKey> ranking(Ranking of) {
    return Objects.requireNonNull(rankings.get(of));
  }

  private DecayedSum sum(Ranking of) {
    return Objects.requireNonNull(sums.get(of));
  }
}
