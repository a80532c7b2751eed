package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A user of a small balanced limit who asks for a part of it, at random times, and is over it now
 * and then by chance. As many requests are admitted as by one counter that sees all of them.
 */
class NearLimitUserTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PERIOD = 10 * SECOND;
  private static final int REQUESTS = 5;
  private static final int SEEDS = 8;
  private static final long LOADED = 300 * SECOND;

  /** Chance differs between the two by a few hundredths. */
  private static final double LESS = 0.08;

  /**
   * @param cost of each request, of which the limit has room for {@link #REQUESTS}
   */
  record Case(Limit limit, long cost, int instances, double load) {}

  static Stream<Case> cases() {
    return Stream.of(1L, 20L)
        .flatMap(
            cost ->
                Stream.of(
                        new FixedWindow(REQUESTS * cost, PERIOD),
                        new SlidingLog(REQUESTS * cost, PERIOD, false))
                    .map(limit -> new Case(limit, cost, 0, 0)))
        .flatMap(c -> Stream.of(1, 2, 4).map(count -> new Case(c.limit, c.cost, count, 0)))
        .flatMap(
            c -> Stream.of(0.4, 0.8).map(load -> new Case(c.limit, c.cost, c.instances, load)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void user_overTheLimitNowAndThen_isServedAsByOneCounter(Case c) {
    long asked = 0;
    long admitted = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      LoopSimulation simulation = run(c, seed);
      asked += simulation.requested / c.cost;
      admitted += simulation.admissions.size();
    }

    assertThat((double) admitted / asked).as("%s", c).isGreaterThan(byOneCounter(c) - LESS);
  }

  private static LoopSimulation run(Case c, long seed) {
    Rule rule = Rule.of(new RuleId("test", "rule"), List.of("user"), c.limit);
    LoopSimulation simulation =
        new LoopSimulation(rule.withVersion(1, 1), c.instances, CalmNetwork.CALM, seed);
    for (int i = 0; i < c.instances; i++) {
      simulation.load(
          i, Request.of("user", "42").withCost(c.cost), perSecond(c) / c.instances, LOADED);
    }
    simulation.run(LOADED);
    return simulation;
  }

  private static double perSecond(Case c) {
    return c.load * REQUESTS * SECOND / PERIOD;
  }

  /** The part of random requests that finds room in the period before, or in its window. */
  private static double byOneCounter(Case c) {
    SplittableRandom random = new SplittableRandom(1);
    Deque<Long> counted = new ArrayDeque<>();
    long now = 0;
    long admitted = 0;
    int requests = 20_000;
    for (int i = 0; i < requests; i++) {
      now += (long) (-Math.log(1 - random.nextDouble()) * SECOND / perSecond(c));
      long from = c.limit instanceof FixedWindow ? now / PERIOD * PERIOD : now - PERIOD + 1;
      while (!counted.isEmpty() && counted.peekFirst() < from) {
        counted.removeFirst();
      }
      if (counted.size() < REQUESTS) {
        counted.addLast(now);
        admitted++;
      }
    }
    return (double) admitted / requests;
  }
}
