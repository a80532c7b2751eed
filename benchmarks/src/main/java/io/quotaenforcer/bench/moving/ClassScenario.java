package io.quotaenforcer.bench.moving;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.simulation.LoopSimulation;
import io.quotaenforcer.simulation.Served;
import java.util.List;
import java.util.Map;

/**
 * Two classes ask for three times the limit, all the time; then a third one, which comes first,
 * asks for three tenths of it. Eight instances, and a network that takes 10 ms each way.
 */
record ClassScenario(LimitKind kind, Enforcement enforcement, long seed) {
  private static final long SECOND = 1_000_000_000L;
  private static final long PERMITS = 1_000;
  private static final int INSTANCES = 8;
  private static final long STEP = 6 * SECOND;
  private static final long END = 20 * SECOND;

  /** A report interval, and the way there and back, twice. */
  private static final long LOOP = SECOND / 10;

  private static final LoopSimulation.Network NETWORK =
      new LoopSimulation.Network(SECOND / 100, 0, 0);

  private static final Request CRITICAL = Request.of("service", "api", "api", "POST /charges");
  private static final Request NORMAL = Request.of("service", "api");
  private static final Request BATCH = Request.of("service", "api", "job", "nightly");

  private static final DemandClasses CLASSES =
      new DemandClasses(
          List.of(
              DemandClass.of("critical", Map.of("api", new Matcher.Exact("POST /charges"))),
              DemandClass.of("normal", Map.of()),
              DemandClass.of("batch", Map.of("job", new Matcher.Any()))));

  ClassRow run() {
    Rule rule =
        Rule.of(new RuleId("fleet", "capacity"), List.of("service"), kind.limit(PERMITS, SECOND))
            .withEnforcement(enforcement)
            .withClasses(CLASSES)
            .withVersion(1, 1);
    LoopSimulation simulation = new LoopSimulation(rule, INSTANCES, NETWORK, seed);
    load(simulation, NORMAL, 1.5);
    load(simulation, BATCH, 1.5);
    simulation.run(STEP);
    simulation.takeServed();
    load(simulation, CRITICAL, 0.3);
    simulation.run(STEP + LOOP);
    Served inTheFirstLoop = of(simulation.takeServed(), "critical");
    long before = simulation.admissions.size();
    simulation.run(END);
    Map<String, Served> then = simulation.takeServed();
    double seconds = (double) (END - STEP - LOOP) / SECOND;
    return new ClassRow(
        kind.label(),
        enforcement,
        inTheFirstLoop.part(),
        of(then, "critical").part(),
        of(then, "normal").part(),
        of(then, "batch").part(),
        (simulation.admissions.size() - before) / (PERMITS * seconds),
        enforcement == Enforcement.STRICT ? simulation.worstExcess(rule.limit()) : 0);
  }

  private static void load(LoopSimulation simulation, Request request, double limits) {
    for (int i = 0; i < INSTANCES; i++) {
      simulation.load(i, request, limits * PERMITS / INSTANCES, END);
    }
  }

  private static Served of(Map<String, Served> served, String demandClass) {
    return served.getOrDefault(demandClass, Served.NONE);
  }
}
