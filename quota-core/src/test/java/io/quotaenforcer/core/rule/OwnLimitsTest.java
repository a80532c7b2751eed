package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.LoadSignal;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.core.algorithm.FixedWindow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Limits that follow one instance's load, second by second, without anybody else. */
class OwnLimitsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Rule PLAIN =
      Rule.of(new RuleId("api", "own"), List.of(), new FixedWindow(100, SECOND))
          .withEnforcement(Enforcement.PER_INSTANCE);
  private static final AdaptTerms TERMS =
      AdaptTerms.of(
          1,
          new AdaptStep(
              LoadCondition.parse("cpu > 80%"),
              2 * SECOND,
              new Lowering.To(5_000),
              new Recovery.Even(1_000, SECOND)));
  private static final Rule OWN = PLAIN.withAdapt(TERMS.withScope(LoadScope.INSTANCE));

  private OwnLimits limits = OwnLimits.NONE;
  private long now = SECOND;

  private int after(int seconds, double cpu) {
    for (int i = 0; i < seconds; i++) {
      now += SECOND;
      limits =
          limits.next(RuleSet.of(List.of(OWN)), new LoadSignal(Map.of(LoadQuantity.CPU, cpu)), now);
    }
    return limits.basisPoints(OWN.id());
  }

  @Test
  void instanceInTrouble_hasHalf_andComesBackLittleByLittle() {
    assertThat(after(1, 0.5)).isEqualTo(10_000);
    assertThat(after(4, 0.9)).isEqualTo(5_000);
    assertThat(after(30, 0.9)).as("no further").isEqualTo(5_000);
    assertThat(after(3, 0.5)).isBetween(6_000, 8_000);
    assertThat(after(10, 0.5)).isEqualTo(10_000);
  }

  @Test
  void ruleThatIsGoneOrFollowsTheService_isForgotten() {
    after(5, 0.9);
    LoadSignal busy = new LoadSignal(Map.of(LoadQuantity.CPU, 0.9));
    assertThat(limits.next(RuleSet.empty(), busy, now + SECOND).byRule()).isEmpty();
    RuleSet other = RuleSet.of(List.of(PLAIN.withAdapt(TERMS)));
    OwnLimits next = limits.next(other, busy, now + SECOND);
    assertThat(next.byRule()).isEmpty();
    assertThat(next.basisPoints(OWN.id())).isEqualTo(AdaptTerms.WHOLE);
  }

  @Test
  void termsChange_goOnWithWhatWasInForce() {
    after(5, 0.9);
    Rule other = OWN.withAdapt(OWN.adapt().orElseThrow().withNominal(1));
    Rule higherFloor =
        other.withAdapt(
            new AdaptTerms(LoadScope.INSTANCE, TERMS.steps(), 6_000, 10_000, 10_000, SECOND, 1));
    OwnLimits next =
        limits.next(
            RuleSet.of(List.of(higherFloor)),
            new LoadSignal(Map.of(LoadQuantity.CPU, 0.5)),
            now + SECOND);
    assertThat(next.basisPoints(OWN.id())).isBetween(6_000, 7_000);
  }
}
