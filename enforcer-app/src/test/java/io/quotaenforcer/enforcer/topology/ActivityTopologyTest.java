package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.activity.HeavyHitters.Hitter;
import io.quotaenforcer.core.activity.Ranking;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.rule.Rule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the ledger's topology tells of its reports. */
class ActivityTopologyTest {
  private static final Rule RULE =
      TopologyFixture.rule("a", new FixedWindow(100, Duration.ofHours(1).toNanos()));

  @TempDir Path state;

  @Test
  void reports_areRanked_andTellWhoIsThere() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      QuotaKey few = TopologyFixture.key(RULE, "few");
      QuotaKey many = TopologyFixture.key(RULE, "many");
      topology.report("one", few, 1, taken(topology, 3, 0));
      topology.report("one", many, 1, taken(topology, 20, 1));
      topology.report("two", few, 1, taken(topology, 2, 9));

      assertThat(keys(topology, Ranking.USED)).containsExactly(many, few);
      assertThat(keys(topology, Ranking.THROTTLED)).containsExactly(few, many);
      assertThat(topology.activity.instances(topology.epochNanos()))
          .extracting(heard -> heard.holder().text())
          .containsExactlyInAnyOrder("one", "two");
      assertThat(topology.activity.partitions()).containsExactly(0);
    }
  }

  /** A cell that an instance opened itself. */
  private static CellUsage taken(TopologyFixture topology, long permits, long throttled) {
    return CellUsage.of(-1, RULE.limit().windowStart(topology.epochNanos()))
        .withTaken(permits)
        .withThrottled(throttled);
  }

  private static List<QuotaKey> keys(TopologyFixture topology, Ranking by) {
    return topology.activity.top(by, 10, topology.epochNanos()).stream().map(Hitter::key).toList();
  }
}
