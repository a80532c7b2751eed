package io.quotaenforcer.bench.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Reports as many instances on many keys would send them, without what instances keep in memory:
 * each key has one cell of the instance, and what is taken of it grows with every round.
 */
final class SimulatedReporters {
  /** Quota keys that an instance uses between two reports. */
  private static final int KEYS_PER_ROUND = 1_600;

  private static final long LOOP_NANOS = 20_000_000L;
  private static final double DEMAND_PER_SECOND = 400;

  private final Wire wire;
  private final GrowthPoint point;
  private final SplittableRandom random = new SplittableRandom(1);
  private final long generation;
  private final long startNanos;
  private final long[] updatesOf;
  private int round;
  private long updates;
  private long records;
  private long bytes;

  /**
   * @param generation of the rule
   * @param startNanos epoch time
   */
  SimulatedReporters(Wire wire, GrowthPoint point, long generation, long startNanos) {
    this.wire = wire;
    this.point = point;
    this.generation = generation;
    this.startNanos = startNanos;
    this.updatesOf = new long[point.instances()];
  }

  static String name(int instance) {
    return "posts-7c9f6d5b84-%05d".formatted(instance);
  }

  static long epoch(int instance) {
    return 0x5eed_0000_0000_0000L + instance;
  }

  long records() {
    return records;
  }

  long bytes() {
    return bytes;
  }

  long updates() {
    return updates;
  }

  /** Of one instance. */
  long updatesOf(int instance) {
    return updatesOf[instance];
  }

  /** Every key, once, by one of the instances. */
  void reportAll(ReportingFleet.Outlet outlet) {
    for (int first = 0; first < point.keys(); first += KEYS_PER_ROUND) {
      int instance = first / KEYS_PER_ROUND % point.instances();
      if (instance == 0) {
        round++;
      }
      List<Integer> users = new ArrayList<>();
      for (int user = first; user < Math.min(point.keys(), first + KEYS_PER_ROUND); user++) {
        users.add(user);
      }
      report(instance, users, outlet);
    }
  }

  /** Keys at random, by every instance in turn. */
  void reportAny(int atLeast, ReportingFleet.Outlet outlet) {
    long until = updates + atLeast;
    for (int instance = 0; updates < until; instance = (instance + 1) % point.instances()) {
      if (instance == 0) {
        round++;
      }
      List<Integer> users =
          random
              .ints(Math.min(KEYS_PER_ROUND, point.keys()), 0, point.keys())
              .distinct()
              .boxed()
              .toList();
      report(instance, users, outlet);
    }
  }

  private void report(int instance, List<Integer> users, ReportingFleet.Outlet outlet) {
    Map<Integer, List<QuotaUsage>> byPartition = new TreeMap<>();
    int partitions = wire.topics().usage().partitions();
    for (int user : users) {
      QuotaKey key = CountedRule.key(user);
      byPartition
          .computeIfAbsent(key.partition(partitions), partition -> new ArrayList<>())
          .add(new QuotaUsage(key, generation, DEMAND_PER_SECOND, 0, List.of(cell())));
    }
    byPartition.forEach(
        (partition, quotas) -> {
          byte[] report =
              wire.encode(
                  new UsageReport(
                      name(instance),
                      epoch(instance),
                      startNanos + round * LOOP_NANOS,
                      LOOP_NANOS,
                      instance % wire.topics().snapshots().partitions(),
                      quotas));
          outlet.send(partition, report);
          records++;
          bytes += report.length;
        });
    updates += users.size();
    updatesOf[instance] += users.size();
  }

  private CellUsage cell() {
    long taken = (long) round * TopologyScale.REQUESTS_PER_UPDATE;
    return CellUsage.of(1, 0).withGranted(taken).withTaken(taken);
  }
}
