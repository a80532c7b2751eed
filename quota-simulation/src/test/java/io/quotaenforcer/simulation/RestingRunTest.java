package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A user who asks seldom, far below a strict limit, at any of some instances; nobody waits. */
class RestingRunTest {
  private static final long SECOND = 1_000 * MILLI;
  private static final long REST = 600 * SECOND;
  private static final long SEED = 1;
  private static final int REQUESTS = 300;

  enum Kind {
    FIXED_WINDOW,
    SLIDING_WINDOW,
    SUB_WINDOWS,
    LOG,
    TOKEN_BUCKET,
    BUCKET_AT_INTERVALS,
    LEAKY_BUCKET;

    Limit limit(long permits, long period) {
      return switch (this) {
        case FIXED_WINDOW -> new FixedWindow(permits, period);
        case SLIDING_WINDOW -> new SlidingWindow(permits, period);
        case SUB_WINDOWS -> new SlidingSubWindows(permits, period, 10);
        case LOG -> new SlidingLog(permits, period, false);
        case TOKEN_BUCKET -> new TokenBucket(permits, period, permits);
        case BUCKET_AT_INTERVALS -> new IntervalBucket(permits, period, permits, permits);
        case LEAKY_BUCKET -> LeakyBucket.of(permits, period, permits);
      };
    }
  }

  /**
   * A limit, and what is asked of it.
   *
   * @param mostThrottled part of the requests, but for the first of each instance
   */
  record Use(
      Kind kind,
      long permits,
      long seconds,
      double perSecond,
      int instances,
      double mostThrottled) {
    Limit limit() {
      return kind.limit(permits, seconds * SECOND);
    }
  }

  static Stream<Use> uses() {
    return Stream.of(Kind.values()).flatMap(RestingRunTest::uses);
  }

  private static Stream<Use> uses(Kind kind) {
    Use ofASecond = new Use(kind, 60, 1, 0.33, 3, 0.02);
    return kind == Kind.BUCKET_AT_INTERVALS
        // Of longer ones nothing rests.
        ? Stream.of(ofASecond)
        : Stream.of(
            ofASecond,
            new Use(kind, 100, 10, 1, 4, 0.02),
            new Use(kind, 60, 60, 0.1, 1, 0.02),
            new Use(kind, 1_000, 3_600, 0.11, 4, 0.02),
            // Of two fifths of the limit.
            new Use(kind, 60, 60, 0.4, 1, 0.03),
            new Use(kind, 20, 10, 0.8, 4, 0.3));
  }

  /** Part of requests that are throttled, but for the first of each instance. */
  private static double throttled(Use use, long restTerm) {
    int instances = use.instances;
    LoopSimulation simulation = simulation(use.limit(), instances, restTerm);
    long end = (long) (REQUESTS / use.perSecond) * SECOND;
    for (int i = 0; i < instances; i++) {
      simulation.load(i, "42", use.perSecond / instances, end);
    }
    simulation.run(end + SECOND);
    return (double) (simulation.throttled - instances) / (simulation.requested - instances);
  }

  private static LoopSimulation simulation(Limit limit, int instances, long restTerm) {
    return simulation(rule(limit), instances, restTerm);
  }

  private static Rule rule(Limit limit) {
    return Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
        .withEnforcement(Enforcement.STRICT)
        .withVersion(1, 1);
  }

  private static LoopSimulation simulation(Rule rule, int instances, long restTerm) {
    Conditions conditions =
        Conditions.of(new Network(10 * MILLI, 0, 0))
            .withShareTerm(30 * SECOND)
            .withRestTerm(restTerm);
    return new LoopSimulation(rule, instances, conditions, SEED);
  }

  @ParameterizedTest
  @MethodSource("uses")
  void request_ofSomebodyWhoAsksSeldom_findsAPermitAtHand(Use use) {
    assertThat(throttled(use, REST)).isLessThan(use.mostThrottled);
  }

  /**
   * Somebody who comes now and then, with some requests at once.
   *
   * @param seconds mean time between two visits
   * @param mostThrottled part of the requests
   */
  record Visits(
      Kind kind, long permits, long period, double seconds, int requests, double mostThrottled) {}

  static Stream<Visits> visits() {
    return Stream.of(Kind.values())
        .filter(kind -> kind != Kind.BUCKET_AT_INTERVALS)
        .flatMap(
            kind ->
                Stream.of(
                    new Visits(kind, 100, 10, 6, 2, 0.03),
                    new Visits(kind, 100, 10, 6, 3, 0.08),
                    new Visits(kind, 60, 60, 20, 4, 0.12),
                    new Visits(kind, 1_000, 3_600, 60, 10, 0.25)));
  }

  @ParameterizedTest
  @MethodSource("visits")
  void requests_thatComeTogetherNowAndThen_findPermitsAtHand(Visits use) {
    LoopSimulation simulation =
        simulation(use.kind.limit(use.permits, use.period * SECOND), 2, REST);
    SplittableRandom random = new SplittableRandom(SEED);
    long at = SECOND;
    for (int visit = 0; visit < REQUESTS / 2; visit++) {
      at += (long) (SECOND * (0.2 - Math.log(1 - random.nextDouble()) * use.seconds));
      simulation.burst(random.nextInt(2), "42", use.requests, at);
    }
    simulation.run(at + SECOND);

    assertThat((double) simulation.throttled / simulation.requested).isLessThan(use.mostThrottled);
  }

  /** Only the first class takes from a share: what rested would be of no use to the others. */
  @ParameterizedTest
  @EnumSource
  void requests_ofALaterClass_areLeasedPermits(Kind kind) {
    DemandClass first = DemandClass.of("first", Map.of("api", new Matcher.Exact("POST /charges")));
    DemandClasses classes = new DemandClasses(List.of(first, DemandClass.of("second", Map.of())));
    Rule rule = rule(kind.limit(1_000, SECOND)).withClasses(classes);
    LoopSimulation simulation = simulation(rule, 1, REST);
    simulation.load(0, Request.of("user", "42"), 5, 60 * SECOND);
    simulation.run(60 * SECOND);

    assertThat((double) simulation.throttled / simulation.requested).isLessThan(0.1);
  }

  @ParameterizedTest
  @EnumSource
  void request_whereNothingRests_findsNone(Kind kind) {
    assertThat(throttled(new Use(kind, 60, 1, 0.33, 3, 1), 0)).isGreaterThan(0.5);
  }
}
