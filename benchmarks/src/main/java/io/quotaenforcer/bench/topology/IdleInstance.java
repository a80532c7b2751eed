package io.quotaenforcer.bench.topology;

import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What an instance reports once its requests have ended: a real allotment book, at its own time.
 */
final class IdleInstance {
  private static final int KEYS = 1_000;
  private static final int BUSY_ROUNDS = 50;
  private static final int SETTLE_SECONDS = 5;
  private static final int IDLE_SECONDS = 60;
  private static final int ROUNDS_PER_SECOND = 50;

  private IdleInstance() {}

  /** Reports per second of a minute without requests; each gets one answer. */
  static double recordsPerSecond() {
    Wire wire = Wire.of(Topics.under("quota.", TopologyScale.PARTITIONS, Codecs.withoutRegistry()));
    ReportingFleet fleet =
        new ReportingFleet(
            wire,
            CountedRule.rule(),
            IntStream.range(0, KEYS).mapToObj(CountedRule::key).toList(),
            Load.UNIFORM,
            1,
            KEYS,
            0,
            1);
    ReportingFleet.Outlet nowhere = (partition, report) -> {};
    for (int round = 0; round < BUSY_ROUNDS; round++) {
      fleet.round(nowhere);
    }
    fleet.rest(SETTLE_SECONDS * ROUNDS_PER_SECOND, nowhere);
    long busy = fleet.reports();
    fleet.rest(IDLE_SECONDS * ROUNDS_PER_SECOND, nowhere);
    return (double) (fleet.reports() - busy) / IDLE_SECONDS;
  }

  static List<String> describe(double recordsPerSecond) {
    return List.of(
        "an instance whose requests ended %d s ago sends %.2f records/s in the minute after"
            .formatted(SETTLE_SECONDS, recordsPerSecond));
  }
}
