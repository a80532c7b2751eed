package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;
import io.quotaenforcer.bench.accuracy.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The trials in real time. */
public final class Trials {
  private static final List<String> SCENARIOS =
      List.of(
          "fixed x 0.95",
          "fixed x 2",
          "fixed x 10",
          "fixed x 2, 90 % on one instance",
          "fixed x 2, hot instance moves",
          "fixed 10 x 5",
          "bucket 1000 x 2",
          "bucket 20 x 2",
          "sliding x 2");
  private static final List<String> QUICK_SCENARIOS = List.of("fixed x 2");

  private Trials() {}

  /**
   * The trials of a benchmark.
   *
   * @param quick whether only some
   * @param wanted names of scenarios
   */
  public static List<Trial> of(boolean quick, Predicate<String> wanted, int seconds, long seed) {
    List<Trial> trials = new ArrayList<>();
    for (String scenario : quick ? QUICK_SCENARIOS : SCENARIOS) {
      for (PolicyKind policy : PolicyKind.values()) {
        trials.add(new Trial(Scenario.named(scenario), policy, seconds, seed));
      }
    }
    return trials.stream().filter(trial -> wanted.test(trial.scenario().name())).toList();
  }
}
