package io.quotaenforcer.enforcer.activity;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.activity.HeardInstance;
import io.quotaenforcer.core.activity.HeavyHitters.Hitter;
import io.quotaenforcer.core.activity.PartitionActivity.Rates;
import io.quotaenforcer.core.activity.Ranking;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The activity of all partitions that this enforcer counts. Safe for any number of threads. */
public final class ActivityBoard {
  private final Map<Integer, PartitionRecorder> partitions = new ConcurrentHashMap<>();

  private record InstanceId(String text, long epoch) {}

  /** This enforcer begins to count a partition. */
  public PartitionRecorder begin(int partition, long now) {
    PartitionRecorder recorder = new PartitionRecorder(now);
    partitions.put(partition, recorder);
    return recorder;
  }

  /** Another one counts it from now on, unless somebody else of this enforcer has begun to. */
  public void end(int partition, PartitionRecorder recorder) {
    partitions.remove(partition, recorder);
  }

  /** The partitions that are counted here. */
  public List<Integer> partitions() {
    return partitions.keySet().stream().sorted().toList();
  }

  /** The quota keys with most permits per second, the largest first. */
  public List<Hitter<QuotaKey>> top(Ranking by, int most, long now) {
    return recorders()
        .flatMap(recorder -> recorder.top(by, most, now).stream())
        .sorted(Comparator.<Hitter<QuotaKey>>comparingDouble(Hitter::sum).reversed())
        .limit(most)
        .toList();
  }

  /** Those of one partition; empty unless it is counted here. */
  public Optional<Rates> rates(int partition, long now) {
    return Optional.ofNullable(partitions.get(partition)).map(recorder -> recorder.rates(now));
  }

  /** Sums over the partitions; the loop is a mean, by reports. */
  public Rates rates(long now) {
    Rates sum = new Rates(0, 0, 0, 0);
    double weighted = 0;
    double weights = 0;
    for (PartitionRecorder recorder : partitions.values()) {
      Rates one = recorder.rates(now);
      sum =
          new Rates(
              sum.usedPerSecond() + one.usedPerSecond(),
              sum.throttledPerSecond() + one.throttledPerSecond(),
              sum.reportsPerSecond() + one.reportsPerSecond(),
              0);
      double weight = one.loopNanos() > 0 ? one.reportsPerSecond() : 0;
      weighted += weight * one.loopNanos();
      weights += weight;
    }
    return new Rates(
        sum.usedPerSecond(),
        sum.throttledPerSecond(),
        sum.reportsPerSecond(),
        weights == 0 ? 0 : weighted / weights);
  }

  /** Who reported to any of the partitions, those first that were heard last. */
  public List<HeardInstance> instances(long now) {
    Map<InstanceId, HeardInstance> newest = new HashMap<>();
    recorders()
        .flatMap(recorder -> recorder.instances(now).stream())
        .forEach(
            heard ->
                newest.merge(
                    new InstanceId(heard.holder().text(), heard.epoch()),
                    heard,
                    ActivityBoard::together));
    return newest.values().stream()
        .sorted(
            Comparator.comparingLong(HeardInstance::heardNanos)
                .reversed()
                .thenComparing(heard -> heard.holder().text()))
        .toList();
  }

  private static HeardInstance together(HeardInstance one, HeardInstance other) {
    HeardInstance newer = one.heardNanos() >= other.heardNanos() ? one : other;
    return new HeardInstance(
        one.holder(),
        one.epoch(),
        newer.heardNanos(),
        newer.loopNanos(),
        one.quotaKeys() + other.quotaKeys());
  }

  private Stream<PartitionRecorder> recorders() {
    return partitions.values().stream();
  }
}
