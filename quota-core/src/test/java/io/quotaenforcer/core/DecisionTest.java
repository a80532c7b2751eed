package io.quotaenforcer.core;

import static io.quotaenforcer.core.RuleDecisions.AT;
import static io.quotaenforcer.core.RuleDecisions.SECOND;
import static io.quotaenforcer.core.RuleDecisions.full;
import static io.quotaenforcer.core.RuleDecisions.room;
import static io.quotaenforcer.core.RuleDecisions.watching;
import static io.quotaenforcer.core.RuleDecisions.watchingFull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionTest {

  @Test
  void unmatched_isAdmitted_andNobodyDecided() {
    Decision unmatched = new Decision.Unmatched();

    assertThat(unmatched.admitted()).isTrue();
    assertThat(unmatched.rule()).isEmpty();
    assertThat(unmatched.rules()).isEmpty();
    assertThat(unmatched.neverAdmitted()).isFalse();
    assertThat(unmatched.retryAfter()).isEmpty();
  }

  @Test
  void notReady_doesAsItIsTold_andNobodyDecided() {
    for (boolean admits : new boolean[] {true, false}) {
      Decision notReady = new Decision.NotReady(admits);

      assertThat(notReady.admitted()).isEqualTo(admits);
      assertThat(notReady.rule()).isEmpty();
      assertThat(notReady.rules()).isEmpty();
      assertThat(notReady.neverAdmitted()).as("it may be once rules are known").isFalse();
      assertThat(notReady.retryAfter()).isEmpty();
    }
  }

  @Test
  void admitted_byOneRule_isDecidedByIt() {
    Decision.Admitted admitted = Decision.Admitted.by(List.of(room("a", 3)));

    assertThat(admitted.admitted()).isTrue();
    assertThat(admitted.rule()).contains(room("a", 3));
    assertThat(admitted.decidedBy()).isEqualTo(room("a", 3));
    assertThat(admitted.rules()).containsExactly(room("a", 3));
    assertThat(admitted.retryAfter()).isEmpty();
  }

  @Test
  void admitted_bySeveral_isDecidedByTheOneWithTheLeastLeft_andKeepsTheirOrder() {
    List<RuleDecision> rules = List.of(room("a", 5), room("b", 2), room("c", 9));

    Decision.Admitted admitted = Decision.Admitted.by(rules);

    assertThat(admitted.decidedBy()).isEqualTo(room("b", 2));
    assertThat(admitted.rules()).isEqualTo(rules);
  }

  @Test
  void admitted_severalWithAsMuchLeft_isDecidedByTheFirst() {
    assertThat(Decision.Admitted.by(List.of(room("a", 2), room("b", 2), room("c", 2))).decidedBy())
        .isEqualTo(room("a", 2));
  }

  @Test
  void admitted_shadowRuleWithLess_isNotDecidedByIt() {
    assertThat(Decision.Admitted.by(List.of(watching("a", 0), room("b", 5))).decidedBy())
        .isEqualTo(room("b", 5));
    assertThat(Decision.Admitted.by(List.of(room("a", 5), watching("b", 0))).decidedBy())
        .isEqualTo(room("a", 5));
  }

  @Test
  void admitted_onlyShadowRules_isDecidedByTheOneWithTheLeastLeft() {
    assertThat(Decision.Admitted.by(List.of(watching("a", 4), watching("b", 1))).decidedBy())
        .isEqualTo(watching("b", 1));
  }

  /** The order says who decides, whatever the rules and in whatever order they come. */
  @Test
  void admitted_anyRules_isDecidedByEnforcedOnesFirstThenByWhatIsLeft() {
    Seeded.check(
        2_000,
        random -> {
          List<RuleDecision> rules = new ArrayList<>();
          for (int i = 1 + random.nextInt(6); i > 0; i--) {
            String id = "r" + i;
            long left = random.nextInt(4);
            rules.add(random.nextBoolean() ? room(id, left) : watching(id, left));
          }
          RuleDecision expected =
              rules.stream()
                  .min(
                      Comparator.comparing(RuleDecision::shadow)
                          .thenComparingLong(RuleDecision::remaining))
                  .orElseThrow();
          Decision.Admitted atOnce = Decision.Admitted.by(rules);
          Decision.Admitted whenAsked = new Decision.Admitted(at -> rules, AT);

          assertThat(atOnce.decidedBy()).isEqualTo(expected);
          assertThat(whenAsked.decidedBy()).isEqualTo(expected);
          assertThat(whenAsked).isEqualTo(atOnce).hasSameHashCodeAs(atOnce);
          assertThat(whenAsked).hasToString(atOnce.toString());
        });
  }

  @Test
  void admitted_byNoRule_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Decision.Admitted.by(List.of()))
        .withMessage("must be decided by a rule: rules=[]");
  }

  @Test
  void admitted_standingsAskedLater_areFoundOutOnceAndAsOfTheDecision() {
    List<Long> asked = new ArrayList<>();
    Decision.Admitted admitted =
        new Decision.Admitted(
            at -> {
              asked.add(at);
              return List.of(room("a", 3));
            },
            AT);
    assertThat(asked).as("before anybody asks").isEmpty();

    admitted.rules();
    admitted.rule();
    admitted.decidedBy();

    assertThat(asked).containsExactly(AT);
  }

  @Test
  void admitted_listThatChangesAfterwards_isKeptAsItWas() {
    List<RuleDecision> changing = new ArrayList<>(List.of(room("a", 3)));
    Decision.Admitted admitted = new Decision.Admitted(at -> changing, AT);
    admitted.rules();

    changing.clear();

    assertThat(admitted.rules()).containsExactly(room("a", 3));
  }

  @Test
  void throttled_byARule_saysWhenToTryAgain() {
    Decision.Throttled throttled = new Decision.Throttled(full("a", 3 * SECOND));

    assertThat(throttled.admitted()).isFalse();
    assertThat(throttled.rule()).contains(full("a", 3 * SECOND));
    assertThat(throttled.rules()).containsExactly(full("a", 3 * SECOND));
    assertThat(throttled.retryAfter()).contains(Duration.ofSeconds(3));
    assertThat(throttled.neverAdmitted()).isFalse();
    assertThat(throttled.reason()).isEqualTo(ThrottleReason.OVER_LIMIT);
    assertThat(throttled.deferrable()).isFalse();
  }

  @Test
  void throttled_moreThanTheLimitEverGives_isNeverAdmitted_andThereIsNoTimeToTryAgain() {
    Decision throttled = new Decision.Throttled(full("a", RuleDecision.NEVER_NANOS));

    assertThat(throttled.neverAdmitted()).isTrue();
    assertThat(throttled.retryAfter()).isEmpty();
  }

  @Test
  void throttled_deniedQuotaKey_isNeverAdmitted() {
    Decision.Throttled throttled =
        new Decision.Throttled(RuleDecision.denied(RuleDecisions.key("a"), SECOND, false, AT));

    assertThat(throttled.neverAdmitted()).isTrue();
    assertThat(throttled.reason()).isEqualTo(ThrottleReason.DENIED);
  }

  /**
   * A rule that only watches may be one that will never have room: the request ran all the same.
   */
  @Test
  void admitted_thoughAShadowRuleNeverHasRoom_isNotNeverAdmitted() {
    Decision admitted = Decision.Admitted.by(List.of(room("a", 1), watchingFull("b")));

    assertThat(admitted.neverAdmitted()).isFalse();
    assertThat(admitted.retryAfter()).isEmpty();
  }

  @Test
  void throttled_standingAskedLater_isFoundOutOnceAndAsOfTheDecision() {
    List<Long> asked = new ArrayList<>();
    Decision.Throttled throttled =
        new Decision.Throttled(
            at -> {
              asked.add(at);
              return List.of(full("a", SECOND));
            },
            true,
            AT);
    assertThat(throttled.deferrable()).as("without asking").isTrue();
    assertThat(asked).isEmpty();

    throttled.decidedBy();
    throttled.rules();
    throttled.reason();

    assertThat(asked).containsExactly(AT);
  }

  @Test
  void throttled_equalRulesAndDeferral_areEqual_elseNot() {
    Decision.Throttled one = new Decision.Throttled(full("a", SECOND), true);

    assertThat(one)
        .isEqualTo(new Decision.Throttled(at -> List.of(full("a", SECOND)), true, AT))
        .hasSameHashCodeAs(new Decision.Throttled(full("a", SECOND), true))
        .hasToString(new Decision.Throttled(full("a", SECOND), true).toString());
    assertThat(one)
        .isNotEqualTo(new Decision.Throttled(full("a", SECOND), false))
        .isNotEqualTo(new Decision.Throttled(full("b", SECOND), true))
        .isNotEqualTo(Decision.Admitted.by(List.of(room("a", 1))));
    assertThat(one.hashCode())
        .isNotEqualTo(new Decision.Throttled(full("a", SECOND), false).hashCode());
  }

  @Test
  void admitted_otherRules_areNotEqual() {
    Decision.Admitted one = Decision.Admitted.by(List.of(room("a", 1), room("b", 2)));

    assertThat(one)
        .isNotEqualTo(Decision.Admitted.by(List.of(room("a", 1))))
        .isNotEqualTo(Decision.Admitted.by(List.of(room("b", 2), room("a", 1))))
        .isNotEqualTo(new Decision.Unmatched());
  }
}
