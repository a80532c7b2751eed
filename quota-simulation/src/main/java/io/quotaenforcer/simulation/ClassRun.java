package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
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

/**
 * A strict rule with two classes, of which the second asks for far more than the limit, at all
 * instances; the first one comes to one of them.
 */
final class ClassRun implements DrawnRun {
  private static final long SECOND = 1_000 * MILLI;
  private static final Request FIRST = Request.of("user", "u", "api", "POST /charges");
  private static final Request SECOND_CLASS = Request.of("user", "u");
  private static final double LEAST_SERVED = 0.9;

  private final Limit limit;
  private final int instances;
  private final double first;
  private final LoopSimulation simulation;

  ClassRun(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long permits = random.nextLong(200, 2_000);
    this.instances = random.nextInt(2, 7);
    this.first = random.nextDouble(0.1, 0.4);
    this.limit =
        switch (random.nextInt(4)) {
          case 0 -> new FixedWindow(permits, SECOND);
          case 1 -> new FixedWindow(3 * permits, 3 * SECOND);
          case 2 -> new SlidingWindow(permits, SECOND);
          default -> new TokenBucket(permits, SECOND, permits);
        };
    Rule rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
            .withEnforcement(Enforcement.STRICT)
            .withClasses(
                new DemandClasses(
                    List.of(
                        DemandClass.of("first", Map.of("api", new Matcher.Exact("POST /charges"))),
                        DemandClass.of("second", Map.of()))))
            .withVersion(1, 1);
    simulation = new LoopSimulation(rule, instances, new Network(10 * MILLI, 0, 0), seed);
  }

  @Override
  public Verdict judge() {
    long end = 10 * SECOND;
    double perSecond = (double) limit.permits() * SECOND / limit.periodNanos();
    for (int i = 0; i < instances; i++) {
      simulation.load(i, SECOND_CLASS, 3 * perSecond / instances, end);
    }
    // Of a window that is used up already, nothing is left for whoever comes first.
    long step =
        limit.windowEnd(limit.windowStart(LoopSimulation.START + 3 * SECOND))
            - LoopSimulation.START;
    simulation.run(step);
    simulation.load(0, FIRST, first * perSecond, end);
    simulation.run(step + 200 * MILLI);
    simulation.takeServed();
    simulation.run(end);
    double served = simulation.takeServed().getOrDefault("first", Served.NONE).part();
    long over = simulation.worstExcess(limit);
    return new Verdict(
        over > 0 ? over + " permits over the limit" : "",
        served < LEAST_SERVED ? "%.3f of the first class served".formatted(served) : "");
  }

  @Override
  public LoopSimulation simulation() {
    return simulation;
  }

  @Override
  public String toString() {
    return "%s, %d instances, first class %.2f".formatted(limit, instances, first);
  }
}
