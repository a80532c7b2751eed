package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;
import static io.quotaenforcer.simulation.LoopSimulation.START;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Whether instances whose wall clocks are wrong take a window's permits in that window, where
 * nothing goes wrong: as far as messages tell them when it begins and ends.
 */
final class WindowLabels {
  private static final long SECOND = 1_000 * MILLI;
  private static final long END = 6 * SECOND;
  private static final int INSTANCES = 3;

  private WindowLabels() {}

  /** Permits taken outside of their window; empty if none. */
  static String violation(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long delay = (2 + random.nextLong(10)) * MILLI;
    FixedWindow limit = new FixedWindow(120, (1 + random.nextLong(2)) * SECOND / 2);
    Rule rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
            .withEnforcement(Enforcement.STRICT)
            .withVersion(1, 1);
    BookSettings settings = BookSettings.defaults();
    Conditions conditions = new Conditions(new Network(delay, 0, 0), settings, 0, 3_600 * SECOND);
    LoopSimulation simulation = new LoopSimulation(rule, INSTANCES, conditions, seed);
    double load = 0.5 + random.nextDouble();
    for (int i = 0; i < INSTANCES; i++) {
      simulation.load(i, "42", load * 120 * SECOND / limit.periodNanos() / INSTANCES, END);
    }
    simulation.run(END);
    long most = 2 * delay + settings.windowSlackNanos();
    for (Admission admission : simulation.admissions) {
      long early = admission.windowStartNanos() - admission.atNanos();
      long late = admission.atNanos() - limit.windowEnd(admission.windowStartNanos());
      if (Math.max(early, late) > most) {
        return "taken at %d ms, %d ms outside of its window (messages take %d ms)"
            .formatted(
                (admission.atNanos() - START) / MILLI,
                Math.max(early, late) / MILLI,
                delay / MILLI);
      }
    }
    return simulation.admissions.size() < limit.permits() ? "too little was admitted" : "";
  }
}
