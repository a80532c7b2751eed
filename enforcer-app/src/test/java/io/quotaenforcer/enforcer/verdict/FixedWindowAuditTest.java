package io.quotaenforcer.enforcer.verdict;

import static io.quotaenforcer.core.rule.Enforcement.BALANCED;
import static io.quotaenforcer.core.rule.Enforcement.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import org.junit.jupiter.api.Test;

final class FixedWindowAuditTest {
  private static final FixedWindow FIVE_PER_SECOND = new FixedWindow(5, 1_000_000_000L);

  @Test
  void strict_limitReachedInTwoWindows_isKept() {
    RuleVerdict verdict =
        Decisions.of(STRICT, FIVE_PER_SECOND)
            .admitTimes(5, 10, "a")
            .throttle(20, "a", 1)
            .admitTimes(5, 1010, "a")
            .judged();

    assertThat(verdict.requests()).isEqualTo(11);
    assertThat(verdict.admitted()).isEqualTo(10);
    assertThat(verdict.throttled()).isEqualTo(1);
    assertThat(verdict.over()).isZero();
    assertThat(verdict.utilisation()).isEqualTo(1.0);
    assertThat(verdict.kept()).isTrue();
  }

  @Test
  void strict_oneAdmissionTooMany_isOverByItsCostAboveTheLimit() {
    RuleVerdict verdict =
        Decisions.of(STRICT, FIVE_PER_SECOND)
            .admitTimes(4, 10, "a")
            .admit(20, "a", 3)
            .admitTimes(5, 30, "b")
            .judged();

    assertThat(verdict.over()).isEqualTo(2);
    assertThat(verdict.worst())
        .hasValue(new RuleVerdict.WorstWindow("test/rule/a", Decisions.START, 2));
    assertThat(verdict.kept()).isFalse();
  }

  @Test
  void strict_overInTwoWindows_totalIsTheSumAndWorstIsTheLarger() {
    RuleVerdict verdict =
        Decisions.of(STRICT, FIVE_PER_SECOND)
            .admitTimes(6, 10, "a")
            .admitTimes(8, 1010, "a")
            .judged();

    assertThat(verdict.over()).isEqualTo(4);
    assertThat(verdict.worstOver()).isEqualTo(3);
  }

  @Test
  void label_withinTolerance_countsInItsWindow() {
    RuleVerdict verdict =
        Decisions.of(STRICT, FIVE_PER_SECOND)
            .admitTimes(5, 500, "a")
            .admit(950, "a", 1, 1000)
            .admit(1099, "b", 1, 0)
            .judged();

    assertThat(verdict.over()).isZero();
    assertThat(verdict.mislabelled()).isZero();
  }

  @Test
  void label_beyondTolerance_isMislabelled() {
    RuleVerdict early = Decisions.of(STRICT, FIVE_PER_SECOND).admit(899, "a", 1, 1000).judged();
    RuleVerdict late = Decisions.of(STRICT, FIVE_PER_SECOND).admit(1100, "a", 1, 0).judged();
    RuleVerdict noWindow = Decisions.of(STRICT, FIVE_PER_SECOND).admit(500, "a", 1, 1).judged();

    assertThat(early.mislabelled()).isEqualTo(1);
    assertThat(late.mislabelled()).isEqualTo(1);
    assertThat(noWindow.mislabelled()).isEqualTo(1);
    assertThat(early.kept()).isFalse();
    assertThat(late.kept()).isFalse();
    assertThat(noWindow.kept()).isFalse();
  }

  @Test
  void label_thatHidesAnAdmissionInALongGoneWindow_isOverToo() {
    RuleVerdict verdict =
        Decisions.of(STRICT, FIVE_PER_SECOND)
            .admitTimes(5, 5000, "a")
            .admit(5001, "a", 1, 0)
            .judged();

    assertThat(verdict.mislabelled()).isEqualTo(1);
    assertThat(verdict.over()).isEqualTo(1);
  }

  @Test
  void utilisation_throttledThoughThereWasRoom_isBelowOne() {
    RuleVerdict verdict =
        Decisions.of(STRICT, FIVE_PER_SECOND)
            .throttle(1, "a", 1)
            .throttle(2, "a", 1)
            .admitTimes(3, 10, "a")
            .admitTimes(2, 20, "b")
            .judged();

    assertThat(verdict.allowedPermits()).isEqualTo(5 + 2);
    assertThat(verdict.utilisation()).isEqualTo(5 / 7.0);
  }

  @Test
  void utilisation_demandFarAboveTheLimit_isLimitedToTheLimit() {
    Decisions decisions = Decisions.of(STRICT, FIVE_PER_SECOND).admitTimes(5, 10, "a");
    for (int i = 0; i < 100; i++) {
      decisions.throttle(20 + i, "a", 2);
    }

    assertThat(decisions.judged().allowedPermits()).isEqualTo(5);
    assertThat(decisions.judged().utilisation()).isEqualTo(1.0);
  }

  @Test
  void balanced_overUpToTheOpeningOfAllInstances_isKept() {
    FixedWindow hundred = new FixedWindow(100, 1_000_000_000L);
    RuleVerdict atBound =
        Decisions.of(BALANCED, hundred).admitTimes(300, 10, "a").admitTimes(101, 20, "b").judged();
    RuleVerdict aboveBound = Decisions.of(BALANCED, hundred).admitTimes(301, 10, "a").judged();

    assertThat(atBound.bound()).isEqualTo(200);
    assertThat(atBound.over()).isEqualTo(201);
    assertThat(atBound.worstOver()).isEqualTo(200);
    assertThat(atBound.kept()).isTrue();
    assertThat(aboveBound.kept()).isFalse();
  }
}
