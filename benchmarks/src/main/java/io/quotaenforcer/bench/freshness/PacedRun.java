package io.quotaenforcer.bench.freshness;

import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.Validity;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.topology.TopologySettings;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Instances under a steady load, with a broker and an enforcer, all in this process. Each has
 * requests of each key at an even pace, each up to half a gap early or late, whether or not they
 * are answered.
 */
final class PacedRun {
  private static final RuleId RULE = new RuleId("bench", "reads-per-user");
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(30);
  private static final double ROOM = 1.25;
  private static final long GAP_NANOS =
      TimeUnit.SECONDS.toNanos(1) / FreshnessScale.REQUESTS_PER_SECOND;

  /** How many other instances' answers are looked at for each instance. */
  private static final int OTHERS = 3;

  /** After what is measured the load goes on, so that its effects are seen. */
  private static final long AFTER_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final FreshnessScale scale;
  private final long seed;

  /**
   * @param seed of the times of requests
   */
  PacedRun(FreshnessScale scale, long seed) {
    this.scale = scale;
    this.seed = seed;
  }

  /**
   * @param isShared whether steady demand has shares, as by default, or is leased
   */
  LoopTimes run(int count, boolean isShared) throws InterruptedException {
    double perSecond = (double) count * FreshnessScale.REQUESTS_PER_SECOND;
    SlidingWindow limit =
        new SlidingWindow((long) Math.ceil(perSecond * ROOM), TimeUnit.SECONDS.toNanos(1));
    Rule rule = Rule.of(RULE, List.of("user"), limit).withVersion(1, 1);
    List<QuotaKey> keys =
        IntStream.range(0, FreshnessScale.KEYS)
            .mapToObj(user -> QuotaKey.of(RULE, List.of("user-" + user)))
            .toList();
    List<PacedInstance> instances = new ArrayList<>();
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            FreshnessScale.PARTITIONS, count, List.of(rule), settings(isShared))) {
      long from;
      LoopCost cost;
      int throttled;
      try {
        for (int i = 0; i < count; i++) {
          instances.add(new PacedInstance(cluster, count, "instance-" + i, keys));
        }
        for (PacedInstance instance : instances) {
          if (!instance.awaitRules(RULES_TIMEOUT)) {
            throw new IllegalStateException("an instance has no rules after " + RULES_TIMEOUT);
          }
        }
        from = System.nanoTime() + TimeUnit.SECONDS.toNanos(scale.warmUpSeconds());
        PacedLoad load = new PacedLoad(instances, keys, new SplittableRandom(seed));
        LoopCost.Totals before = load.until(from);
        int atFirst = throttled(instances);
        cost = load.until(until(from)).since(before);
        throttled = throttled(instances) - atFirst;
        load.until(until(from) + AFTER_NANOS);
      } finally {
        instances.forEach(PacedInstance::close);
      }
      return LoopTimes.of(count, isShared, effects(instances, keys, from), throttled, cost);
    }
  }

  private static Function<PrefixInfo, TopologySettings> settings(boolean isShared) {
    LongSupplier clock = Clocks.system().epochNanos();
    if (isShared) {
      return EmbeddedCluster.settings(clock);
    }
    return prefix -> {
      LedgerSettings usual = LedgerSettings.defaults(prefix.maxInstances());
      LedgerSettings leases = usual.withValidity(new Validity(usual.allotmentTtlNanos(), 0, false));
      return TopologySettings.defaults(prefix.partitions(), leases, clock);
    };
  }

  private Effects effects(List<PacedInstance> instances, List<QuotaKey> keys, long from) {
    Effects all = new Effects(List.of(), 0);
    long ahead = epochMinusMonotonic();
    for (QuotaKey key : keys) {
      List<InstanceHistory> histories =
          instances.stream().map(instance -> instance.history(key)).toList();
      all = all.and(Effects.of(histories, OTHERS, from, until(from), ahead));
    }
    return all;
  }

  private long until(long from) {
    return from + TimeUnit.SECONDS.toNanos(scale.seconds());
  }

  /** The load up to a moment, and what there was of everything by then. */
  private static final class PacedLoad {
    private final List<PacedInstance> instances;
    private final SplittableRandom random;
    private final PriorityQueue<Source> sources =
        new PriorityQueue<>(Comparator.comparing(Source::dueNanos));
    private long requests;

    PacedLoad(List<PacedInstance> instances, List<QuotaKey> keys, SplittableRandom random) {
      this.instances = instances;
      this.random = random;
      long start = System.nanoTime();
      for (PacedInstance instance : instances) {
        for (QuotaKey key : keys) {
          Request request = Request.of("user", key.values().get(0));
          sources.add(new Source(instance, key, request, start + random.nextLong(GAP_NANOS)));
        }
      }
    }

    LoopCost.Totals until(long end) {
      for (Source next = sources.element(); next.dueNanos < end; next = sources.element()) {
        for (long left = next.dueNanos - System.nanoTime();
            left > 0;
            left = next.dueNanos - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        next.instance.ask(next.key, next.request);
        requests++;
        sources.remove();
        sources.add(next.after(GAP_NANOS / 2 + random.nextLong(GAP_NANOS)));
      }
      return LoopCost.Totals.now(
          requests,
          instances.stream().mapToLong(PacedInstance::reports).sum(),
          instances.stream().mapToLong(PacedInstance::snapshots).sum());
    }
  }

  /** The requests of one key at one instance. */
  private record Source(PacedInstance instance, QuotaKey key, Request request, long dueNanos) {
    Source after(long nanos) {
      return new Source(instance, key, request, dueNanos + nanos);
    }
  }

  /** Exact to the time between one reading of each. */
  private static long epochMinusMonotonic() {
    long before = System.nanoTime();
    long epoch = Clocks.system().epochNanos().getAsLong();
    long after = System.nanoTime();
    return epoch - (before + (after - before) / 2);
  }

  private static int throttled(List<PacedInstance> instances) {
    return instances.stream().mapToInt(PacedInstance::throttled).sum();
  }
}
