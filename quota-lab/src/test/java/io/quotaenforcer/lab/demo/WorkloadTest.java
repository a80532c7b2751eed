package io.quotaenforcer.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WorkloadTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Load LOAD = Load.of(7, 4, 20_000, Duration.ofSeconds(20));

  @Test
  void arrivals_sameSeed_areTheSame() {
    assertThat(keysOf(new Workload(LOAD).arrivals(2), SECOND))
        .isEqualTo(keysOf(new Workload(LOAD).arrivals(2), SECOND))
        .isNotEqualTo(keysOf(new Workload(LOAD).arrivals(1), SECOND));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void arrivals_ofAllInstances_sumUpToTheLoad(long seed) {
    Workload workload = new Workload(Load.of(seed, 4, 20_000, Duration.ofSeconds(20)));
    int[] counts = new int[4];
    for (int i = 0; i < 4; i++) {
      counts[i] = keysOf(workload.arrivals(i), 5 * SECOND).size();
    }

    int sum = counts[0] + counts[1] + counts[2] + counts[3];
    assertThat((double) sum).as("seed %d", seed).isCloseTo(100_000, within(2_000.0));
    assertThat(counts[0]).isGreaterThan(counts[1]);
    assertThat(counts[1]).isGreaterThan(counts[2]);
    assertThat(counts[2]).isGreaterThan(counts[3]);
  }

  @Test
  void arrivals_inTheBurst_comeFiveTimesAsOften() {
    Arrivals arrivals = new Workload(LOAD).arrivals(0);
    int before = keysOf(arrivals, LOAD.burstFrom().toNanos()).size();
    int during = keysOf(arrivals, LOAD.burstUntil().toNanos()).size();
    int after = keysOf(arrivals, LOAD.burstUntil().toNanos() + 3 * SECOND).size();

    double perSecond = before / (LOAD.burstFrom().toNanos() / 1e9);
    assertThat(during / 3.0).isCloseTo(5 * perSecond, within(0.1 * 5 * perSecond));
    assertThat(after / 3.0).isCloseTo(perSecond, within(0.1 * perSecond));
  }

  @Test
  void keys_ofEachRule_someAreFarOverTheirLimitAndMostAreNot() {
    Workload workload = new Workload(LOAD);
    int[] perSecond = new int[workload.keyCount()];
    for (int i = 0; i < 4; i++) {
      keysOf(workload.arrivals(i), 5 * SECOND).forEach(key -> perSecond[key]++);
    }
    for (int rule = 0; rule < 4; rule++) {
      int over = 0;
      int under = 0;
      double most = 0;
      for (int key = 0; key < perSecond.length; key++) {
        var entry = workload.keys().entry(key);
        double factor = perSecond[key] / 5.0 / entry.limit().permits();
        if (entry.ruleIndex() == rule) {
          over += factor > 2 ? 1 : 0;
          under += factor < 1 ? 1 : 0;
          most = Math.max(most, factor);
        }
      }
      assertThat(over).as("rule %d", rule).isGreaterThanOrEqualTo(2);
      assertThat(under).as("rule %d", rule).isGreaterThan(over);
      assertThat(most).as("rule %d", rule).isBetween(5.0, 10.0);
    }
  }

  @Test
  void lightUsers_comeWithFewerRequestsAtOnceThanTheirLimit() {
    Workload workload = new Workload(LOAD);
    int light = 0;
    for (int key = 0; key < workload.keyCount(); key++) {
      assertThat((long) workload.atOnce(key))
          .isBetween(1L, workload.keys().entry(key).limit().permits() / 2);
      light += workload.atOnce(key) > 1 ? 1 : 0;
    }
    assertThat(light).isEqualTo(4000);
  }

  @Test
  void requests_matchTheirRuleAndNoOther() {
    Workload workload = new Workload(LOAD);
    RuleSet rules = RuleSet.of(workload.rules());

    for (int key = 0; key < workload.keyCount(); key++) {
      List<RuleSet.Match> matches = rules.match(workload.request(key));
      assertThat(matches).hasSize(1);
      assertThat(matches.get(0).quotaKey()).isEqualTo(workload.keys().entry(key).quotaKey());
    }
  }

  @Test
  void load_illegal_isRefused() {
    assertThatThrownBy(() -> Load.of(1, 0, 1, Duration.ofSeconds(1)))
        .hasMessage("must be >= 1: instances=0");
    assertThatThrownBy(() -> Load.of(1, 1, 0, Duration.ofSeconds(1)))
        .hasMessage("must be > 0 and <= 10000000: requestsPerSecond=0.0");
    assertThatThrownBy(() -> new Workload(LOAD).arrivals(4))
        .hasMessage("must be >= 0 and < 4: instance=4");
  }

  private static List<Integer> keysOf(Arrivals arrivals, long untilNanos) {
    List<Integer> keys = new ArrayList<>();
    while (arrivals.due(untilNanos)) {
      keys.add(arrivals.take());
    }
    return keys;
  }
}
