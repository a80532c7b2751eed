package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;
import static io.quotaenforcer.simulation.LoopSimulation.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Entitlements;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Data, or the load, lowers or raises the limit of keys while permits of them are out: by leases or
 * by shares, at instances that are busy or have gone quiet. Messages are late, lost, repeated and
 * reordered; in every other seed an enforcer crashes after the change. A second after it nothing is
 * admitted above the lower limit, but what was before.
 */
class EntitledRunTest {
  private static final int SEEDS = 60;
  private static final long SECOND = 1_000 * MILLI;
  private static final long PERIOD = 10 * SECOND;
  private static final long END = 3 * PERIOD;
  private static final long HEARD = SECOND;
  private static final RuleId RULE = new RuleId("test", "rule");

  /** One run. */
  private static final class Run {
    private final long seed;
    private final SplittableRandom random;
    private final long before;
    private final long after;
    private final long changedAt;
    private final int instances;
    private final LoopSimulation simulation;

    Run(long seed, long least, UnaryOperator<Rule> by) {
      this.seed = seed;
      random = new SplittableRandom(seed);
      before = random.nextLong(20, 400);
      after = random.nextInt(3) == 0 ? before * 3 : random.nextLong(least, before);
      changedAt = PERIOD + random.nextLong(SECOND, 7 * SECOND);
      instances = random.nextInt(2, 5);
      Rule rule =
          by.apply(
                  Rule.of(RULE, List.of("user"), new FixedWindow(before, PERIOD))
                      .withEnforcement(Enforcement.STRICT))
              .withVersion(1, 1);
      Conditions conditions =
          new Conditions(
              new Network(20 * MILLI, 0.05, 0.05),
              BookSettings.defaults(),
              20 * MILLI,
              SECOND / 4,
              false);
      boolean shares = random.nextBoolean();
      Conditions divided = conditions.withShareTerm(30 * SECOND).withRestTerm(600 * SECOND);
      simulation = new LoopSimulation(rule, instances, shares ? divided : conditions, seed);
    }

    void run() {
      // Some ask for much more than there is, some hardly any more from just before the change.
      double perSecond = before * (0.5 + random.nextDouble(2)) / 10.0;
      for (int i = 0; i < instances; i++) {
        boolean quiet = random.nextInt(3) == 0;
        simulation.load(
            i, "u", perSecond / instances, quiet ? changedAt - random.nextLong(SECOND) : END);
        if (quiet) {
          simulation.load(i, "u", 0.5, END);
        }
      }
      simulation.entitle(after, changedAt);
      if (seed % 2 == 1) {
        simulation.crashEnforcer(
            changedAt + random.nextLong(2 * SECOND),
            50 * MILLI + random.nextLong(SECOND / 4),
            0,
            0);
      }
      simulation.run(END);
    }

    /** Permits over what may be, of the worst window. */
    long worst() {
      TreeSet<Long> windows = new TreeSet<>();
      simulation.admissions.forEach(admission -> windows.add(admission.windowStartNanos()));
      long worst = 0;
      long heard = START + changedAt + HEARD;
      for (long window : windows) {
        long all = used(window, Long.MAX_VALUE);
        boolean began = window <= heard;
        long most = began ? Math.max(before, after) : after;
        worst = Math.max(worst, all - most);
        if (began && window + PERIOD > heard) {
          worst = Math.max(worst, all - Math.max(after, used(window, heard)));
        }
      }
      return worst;
    }

    private long used(long window, long until) {
      return simulation.admissions.stream()
          .filter(each -> each.windowStartNanos() == window && each.takenNanos() <= until)
          .mapToLong(Admission::cost)
          .sum();
    }

    @Override
    public String toString() {
      return "seed %d: %d becomes %d at %d ms, %d instances"
          .formatted(seed, before, after, changedAt / MILLI, instances);
    }
  }

  @Test
  void limitByData_changesWhilePermitsAreOut_andIsKeptWithinASecond() {
    check(0, rule -> rule.withEntitlements(Entitlements.NO_PLANS));
  }

  @Test
  void limitThatFollowsTheLoad_changesWhilePermitsAreOut_andIsKeptWithinASecond() {
    AdaptStep step =
        new AdaptStep(
            LoadCondition.parse("cpu > 80%"),
            SECOND,
            new Lowering.To(5_000),
            Recovery.Growing.DEFAULT);
    check(1, rule -> rule.withAdapt(AdaptTerms.of(1, step)));
  }

  private static void check(long least, UnaryOperator<Rule> by) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Run run = new Run(seed, least, by);
      run.run();
      assertThat(run.worst()).as(run.toString()).isLessThanOrEqualTo(0);
    }
  }
}
