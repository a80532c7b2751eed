package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the topology tells in its metrics of the loop. */
class LoopMetricsTopologyTest {
  private static final Rule RULE =
      TopologyFixture.rule("fixed", new FixedWindow(100, 10_000_000_000L));
  private static final QuotaKey KEY = TopologyFixture.key(RULE, "42");

  @TempDir Path state;

  @Test
  void report_thatWaitsForACommit_isCountedAsWaiting_andThenAsGranted() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      assertThat(topology.registry.get("quota.takeovers").counter().count()).isPositive();
      topology.report("a", KEY, 10);

      assertThat(answers(topology, "waiting")).isOne();
      assertThat(topology.registry.get("quota.reports.waiting").gauge().value()).isOne();

      topology.commit();
      assertThat(answers(topology, "granted")).isOne();
      assertThat(topology.registry.get("quota.reports.waiting").gauge().value()).isZero();
    }
  }

  @Test
  void report_withoutDemand_isIdle() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      topology.report("a", KEY, 0);
      topology.commit();

      assertThat(answers(topology, "idle")).isPositive();
    }
  }

  @Test
  void permits_throttledBelowTheLimit_areTurnedAway() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      topology.report("a", KEY, 10, CellUsage.of(-1, 0).withThrottled(3));
      topology.commit();

      assertThat(
              topology
                  .registry
                  .get("quota.permits.turned.away")
                  .tags("rule", "fixed", "reason", "not_granted")
                  .counter()
                  .count())
          .isEqualTo(3);
    }
  }

  @Test
  void loop_isWhatInstancesMeasured() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      QuotaUsage usage = new QuotaUsage(KEY, 1, 10, 0, List.of());
      topology.send(
          topology.wire.topics().usage().name(),
          "a".getBytes(StandardCharsets.UTF_8),
          topology.wire.encode(
              new UsageReport("a", 1, topology.epochNanos(), 30_000_000L, 0, List.of(usage))));

      assertThat(topology.registry.get("quota.loop").timer().count()).isOne();
      assertThat(topology.registry.get("quota.loop").timer().totalTime(TimeUnit.MILLISECONDS))
          .isEqualTo(30);
    }
  }

  @Test
  void reports_thatAreRefused_areCountedByReason() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      topology.send(topology.wire.topics().usage().name(), null, new byte[] {1, 2, 3});
      topology.report(
          "a",
          TopologyFixture.key(
              TopologyFixture.rule("other", new FixedWindow(1, 1_000_000_000L)), "42"),
          1);

      assertThat(refused(topology, "unreadable")).isOne();
      assertThat(refused(topology, "no_such_rule") + refused(topology, "wrong_partition")).isOne();
    }
  }

  private static double answers(TopologyFixture topology, String outcome) {
    Counter counter =
        topology.registry.find("quota.answers").tags("rule", "fixed", "outcome", outcome).counter();
    return counter == null ? 0 : counter.count();
  }

  private static double refused(TopologyFixture topology, String reason) {
    Counter counter =
        topology.registry.find("quota.reports.refused").tag("reason", reason).counter();
    return counter == null ? 0 : counter.count();
  }
}
