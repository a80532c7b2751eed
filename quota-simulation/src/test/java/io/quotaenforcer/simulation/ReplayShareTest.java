package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.ClockAudit.Shown;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a limit is divided between live instances and a queue of replays that never empties. */
class ReplayShareTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long END = 22 * SECOND;
  private static final int INSTANCES = 4;
  private static final Network CALM = new Network(10_000_000L, 0, 0);
  private static final long ENDLESS = 1_000_000;

  static Stream<Case> cases() {
    return Stream.of(
            new FixedWindow(200, SECOND),
            new SlidingWindow(200, SECOND),
            new TokenBucket(200, SECOND, 200),
            new TokenBucket(200, SECOND, 20),
            new FixedWindow(300, 10 * SECOND))
        .flatMap(limit -> Stream.of(0.05, 0.2, 0.5).map(share -> new Case(limit, share)));
  }

  record Case(Limit limit, double share) {
    Rule rule() {
      OverLimit.Defer usual = OverLimit.Defer.DEFAULTS;
      return Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
          .withEnforcement(Enforcement.STRICT)
          .withOverLimit(
              new OverLimit.Defer(
                  (int) Math.round(share * 10_000),
                  usual.release(),
                  usual.queueLength(),
                  usual.queueBytes(),
                  usual.unacknowledged(),
                  usual.onDelete()))
          .withVersion(1, 1);
    }
  }

  /** Parts of the limit that were taken. */
  private record Taken(double byReplays, double byLive) {}

  @ParameterizedTest
  @MethodSource("cases")
  void liveDemandOfThreeTimesTheLimit_eachHasItsShare(Case c) {
    Taken taken = run(c, 3);
    assertThat(taken.byReplays).as("%s", c).isGreaterThanOrEqualTo(0.9 * c.share);
    assertThat(taken.byLive).as("%s", c).isGreaterThanOrEqualTo(0.9 * (1 - c.share));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void noLiveDemand_replaysHaveTheLimit(Case c) {
    assertThat(run(c, 0).byReplays).as("%s", c).isGreaterThanOrEqualTo(0.9);
  }

  /** Sparse requests make a demand look larger than it is, so that more is left to it. */
  static Stream<Case> denseCases() {
    return cases().filter(c -> c.limit.periodNanos() == SECOND);
  }

  /**
   * Capacity that live instances do not demand is not lost, nor do replays take what they do
   * demand.
   */
  @ParameterizedTest
  @MethodSource("denseCases")
  void liveDemandOfHalfTheLimit_replaysHaveMoreThanASmallShare(Case c) {
    Taken taken = run(c, 0.5);
    assertThat(taken.byReplays).as("%s", c).isGreaterThanOrEqualTo(Math.max(0.9 * c.share, 0.2));
    assertThat(taken.byLive).as("%s", c).isGreaterThanOrEqualTo(0.39);
  }

  private static Taken run(Case c, double load) {
    LoopSimulation simulation = new LoopSimulation(c.rule(), INSTANCES, CALM, 1);
    double perSecond = c.limit.permits() * (double) SECOND / c.limit.periodNanos();
    for (int i = 0; i < INSTANCES && load > 0; i++) {
      simulation.load(i, "42", perSecond * load * (i == 0 ? 2 : 1) / (INSTANCES + 1), END);
    }
    simulation.defer(simulation.queue("42"), ENDLESS, 0);
    long from = 2 * SECOND;
    simulation.run(from);
    long before = simulation.admissions.size();
    long replayedBefore = simulation.replayed;
    simulation.run(END);
    long excess =
        new AdmissionOracle((generation, at) -> c.limit, Shown::trueTime)
            .worstExcess(simulation.admissions);
    assertThat(excess).as("%s", c).isZero();
    double most = perSecond * (END - from) / SECOND;
    double replayed = simulation.replayed - replayedBefore;
    return new Taken(replayed / most, (simulation.admissions.size() - before - replayed) / most);
  }
}
