package io.quotaenforcer.lab.verdict;

import static io.quotaenforcer.core.rule.Enforcement.BALANCED;
import static io.quotaenforcer.core.rule.Enforcement.PER_INSTANCE;
import static io.quotaenforcer.core.rule.Enforcement.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import org.junit.jupiter.api.Test;

final class ReplayAuditTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void slidingWindow_previousWindowStillWeighs_admissionIsOver() {
    // At 1200 ms four fifths of the previous window's 8 weigh: 6.4, cut to 6. Two more are allowed.
    Decisions decisions =
        Decisions.of(BALANCED, new SlidingWindow(8, SECOND))
            .admitTimes(8, 500, "a")
            .admitTimes(2, 1200, "a");
    assertThat(decisions.judged().over()).isZero();

    RuleVerdict verdict = decisions.admit(1200, "a", 1).judged();

    assertThat(verdict.over()).isEqualTo(1);
    assertThat(verdict.worst())
        .hasValue(new RuleVerdict.WorstWindow("test/rule/a", Decisions.START + SECOND, 1));
  }

  @Test
  void slidingWindow_overAdmission_isNotBooked() {
    RuleVerdict verdict =
        Decisions.of(BALANCED, new SlidingWindow(10, SECOND))
            .admitTimes(14, 100, "a")
            .admitTimes(5, 1500, "a")
            .judged();

    assertThat(verdict.over()).isEqualTo(4);
    assertThat(verdict.worstOver()).isEqualTo(4);
    assertThat(verdict.bound()).isEqualTo(20);
  }

  @Test
  void throttledThoughAnExactCounterAdmits_isTurnedAway_innocentOrNot() {
    RuleVerdict verdict =
        Decisions.of(BALANCED, new TokenBucket(10, SECOND, 10))
            .throttle(0, "innocent", 5)
            .admit(1, "innocent", 4)
            .throttle(2, "near", 5)
            .admit(3, "near", 5)
            .throttle(4, "over", 5)
            .admit(5, "over", 5)
            .throttle(6, "over", 5)
            .judged();

    assertThat(verdict.turnedAway()).isEqualTo(new TurnedAway(6, 3));
    assertThat(verdict.innocentsTurnedAway()).isEqualTo(new TurnedAway(2, 1));
  }

  @Test
  void tokenBucket_refilledTokens_areAllowed() {
    Decisions decisions =
        Decisions.of(STRICT, new TokenBucket(10, SECOND, 5))
            .admitTimes(5, 0, "a")
            .admit(100, "a", 1)
            .admit(300, "a", 2);
    assertThat(decisions.judged().over()).isZero();

    assertThat(decisions.admit(399, "a", 1).judged().over()).isEqualTo(1);
    assertThat(decisions.admit(400, "a", 1).judged().over()).isEqualTo(1);
  }

  @Test
  void utilisation_requestsThatOneProcessWouldHaveAdmitted_areAllowed() {
    RuleVerdict verdict =
        Decisions.of(STRICT, new TokenBucket(10, SECOND, 5))
            .throttle(0, "a", 1)
            .throttle(0, "a", 4)
            .throttle(0, "a", 1)
            .admit(100, "a", 1)
            .throttle(150, "a", 1)
            .judged();

    assertThat(verdict.allowedPermits()).isEqualTo(6);
    assertThat(verdict.admittedPermits()).isEqualTo(1);
    assertThat(verdict.utilisation()).isEqualTo(1 / 6.0);
  }

  @Test
  void utilisation_whatIsOverOrPassedOverForSmaller_isMoreThanAll() {
    RuleVerdict over =
        Decisions.of(BALANCED, new SlidingWindow(10, SECOND)).admitTimes(12, 100, "a").judged();
    RuleVerdict smaller =
        Decisions.of(STRICT, new SlidingWindow(10, SECOND))
            .throttle(100, "a", 6)
            .admit(200, "a", 5)
            .admit(300, "a", 5)
            .judged();
    RuleVerdict perInstance =
        Decisions.of(PER_INSTANCE, new SlidingWindow(10, SECOND)).admitTimes(20, 100, "a").judged();

    assertThat(over.utilisation()).isEqualTo(12 / 10.0);
    assertThat(smaller.over()).isZero();
    assertThat(smaller.utilisation()).isEqualTo(10 / 6.0);
    assertThat(perInstance.utilisation()).isEqualTo(2.0);
  }

  @Test
  void worst_overInSeveralWindows_isTheLargestOne() {
    RuleVerdict verdict =
        Decisions.of(BALANCED, new TokenBucket(10, SECOND, 10))
            .admitTimes(12, 0, "a")
            .admitTimes(15, 2000, "a")
            .admitTimes(11, 4000, "a")
            .judged();

    assertThat(verdict.over()).isEqualTo(2 + 5 + 1);
    assertThat(verdict.worstOver()).isEqualTo(5);
  }

  @Test
  void granted_areJudgedWithoutTheOpened() {
    Decisions decisions =
        Decisions.of(BALANCED, new SlidingWindow(10, SECOND))
            .open(100, 0, "a", 10)
            .admitTimes(10, 200, "a");
    RuleVerdict within = decisions.judged();

    assertThat(within.over()).isEqualTo(10);
    assertThat(within.grantedOver()).isZero();
    assertThat(within.kept()).isTrue();
    // One more than the limit, as the enforcer's own part of a fading count is rounded down.
    RuleVerdict over = decisions.admitTimes(2, 300, "a").judged();
    assertThat(over.grantedOver()).isEqualTo(1);
    assertThat(over.kept()).isFalse();
  }

  @Test
  void granted_byAnInstanceWhoseBorderIsEarly_isNotOver() {
    // At 1099 ms 9 weigh by the limit's own border, 8 by one 100 ms before it.
    RuleVerdict early =
        Decisions.of(BALANCED, new SlidingWindow(10, SECOND))
            .admitTimes(10, 500, "a")
            .admitTimes(2, 1099, "a")
            .judged();

    assertThat(early.over()).isEqualTo(1);
    assertThat(early.grantedOver()).isZero();
    assertThat(early.kept()).isTrue();
  }

  @Test
  void perInstance_grantedByEachInstanceForItself_isNotOver() {
    RuleVerdict verdict =
        Decisions.of(PER_INSTANCE, new SlidingWindow(10, SECOND))
            .admitTimes(20, 100, "a")
            .judged(10);

    assertThat(verdict.worstOver()).isEqualTo(10);
    assertThat(verdict.bound()).isEqualTo(10);
    assertThat(verdict.grantedOver()).isZero();
    assertThat(verdict.kept()).isTrue();
  }

  /** Fifteen in a period of the instance's clock, of which one of true time may overlap three. */
  @Test
  void opened_byOneInstanceInAPeriodByItsStamp_moreThanABucketGivesInThree_isBroken() {
    Decisions decisions =
        Decisions.of(BALANCED, new TokenBucket(10, SECOND, 5))
            .open(900, 0, "a", 5)
            .open(1000, 0, "a", 45)
            .open(1100, 1, "a", 45);

    assertThat(decisions.judged().opened()).isEqualTo(new RuleVerdict.Opened(95, 45, 45));
    assertThat(decisions.judged().opened().kept()).isTrue();
    RuleVerdict more = decisions.open(1999, 0, "a", 1).judged();
    assertThat(more.opened()).isEqualTo(new RuleVerdict.Opened(96, 46, 45));
    assertThat(more.opened().kept()).isFalse();
    assertThat(more.kept()).isFalse();
  }
}
