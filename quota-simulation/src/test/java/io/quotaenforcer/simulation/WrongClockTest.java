package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.ClockAudit.Shown;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An enforcer whose clock was far ahead is gone, and one whose clock is right takes over. Of kinds
 * without borders, whose oracle is the algorithm in true time.
 */
class WrongClockTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long AHEAD = 3_600 * SECOND;
  private static final long GONE = 5 * SECOND;
  private static final long END = 25 * SECOND;
  private static final int INSTANCES = 4;

  static Stream<Limit> limits() {
    return Stream.of(
        new TokenBucket(200, SECOND, 200),
        new TokenBucket(50, SECOND, 20),
        new LeakyBucket(new TokenBucket(100, SECOND, 10)),
        new SlidingLog(50, SECOND, false));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void successorOfAnEnforcerThatWasAnHourAhead_isNeverOver_andAdmitsMostOfTheLimit(Limit limit) {
    Rule rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
            .withEnforcement(Enforcement.STRICT)
            .withVersion(1, 1);
    LoopSimulation simulation =
        new LoopSimulation(rule, INSTANCES, new Network(10_000_000L, 0, 0), 1);
    simulation.stepEnforcerClock(AHEAD, 1);
    double perSecond = limit.permits() * (double) SECOND / limit.periodNanos();
    for (int i = 0; i < INSTANCES; i++) {
      simulation.load(i, "42", 1.5 * perSecond / INSTANCES, END);
    }
    simulation.crashEnforcer(GONE, SECOND, 0, -AHEAD);
    simulation.run(GONE + 5 * SECOND);
    long before = simulation.admissions.size();
    simulation.run(END);

    assertThat(
            new AdmissionOracle((generation, at) -> limit, Shown::trueTime)
                .worstExcess(simulation.admissions))
        .isZero();
    double most = perSecond * (END - GONE - 5 * SECOND) / SECOND;
    assertThat((simulation.admissions.size() - before) / most).isBetween(0.8, 0.95);
  }
}
