package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.Rule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An enforcer that is behind, or whose brokers are slow, answers late; but it does answer. */
class SlowCommitsTest {
  private static final Rule RULE =
      TopologyFixture.rule("fixed", new FixedWindow(1_000, 60_000_000_000L));
  private static final QuotaKey KEY = TopologyFixture.key(RULE, "42");
  private static final int INSTANCES = 9;

  @TempDir Path state;

  @Test
  void commitsThatTakeLongerThanAnswersAreUsuallyGivenAhead_everyInstanceIsStillGranted() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      for (int round = 0; round < 3; round++) {
        reportsOfAll(topology);
        topology.commitFor(Duration.ofMillis(900));
      }
      topology.snapshots();

      for (int round = 0; round < 5; round++) {
        reportsOfAll(topology);
        assertThat(granted(topology.snapshots()))
            .as("at once, in round %d", round)
            .hasSize(INSTANCES);
        topology.commitFor(Duration.ofMillis(900));
      }
    }
  }

  @Test
  void commitsThatBecomeSlow_delayAnswersByOneMore() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      reportsOfAll(topology);
      topology.commitFor(Duration.ofMillis(10));
      reportsOfAll(topology);
      topology.commitFor(Duration.ofMillis(900));
      topology.snapshots();

      reportsOfAll(topology);
      assertThat(topology.snapshots()).as("the time that was committed is over").isEmpty();
      topology.commitFor(Duration.ofMillis(900));
      assertThat(granted(topology.snapshots())).hasSize(INSTANCES);
    }
  }

  private static void reportsOfAll(TopologyFixture topology) {
    for (int i = 0; i < INSTANCES; i++) {
      topology.report("instance-" + i, KEY, 10);
    }
  }

  /** Instances that were told of permits which they may take now. */
  private static Set<String> granted(List<QuotaSnapshot> snapshots) {
    return snapshots.stream()
        .filter(
            snapshot ->
                snapshot.quotas().stream()
                    .flatMap(answer -> answer.cells().stream())
                    .anyMatch(cell -> !cell.isEnded() && holdsPermits(cell)))
        .map(QuotaSnapshot::instance)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean holdsPermits(CellGrant cell) {
    return cell.granted() > 0;
  }
}
