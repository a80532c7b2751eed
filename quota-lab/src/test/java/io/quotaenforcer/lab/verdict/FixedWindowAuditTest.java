package io.quotaenforcer.lab.verdict;

import static io.quotaenforcer.core.rule.Enforcement.BALANCED;
import static io.quotaenforcer.core.rule.Enforcement.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.lab.verdict.RuleVerdict.Place;
import io.quotaenforcer.lab.verdict.RuleVerdict.Places;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FixedWindowAuditTest {
  private static final FixedWindow FIVE_PER_SECOND = new FixedWindow(5, 1_000_000_000L);
  private static final RunPace QUICK = new RunPace(0, 0, 1);
  private static final FixedWindow HUNDRED_PER_SECOND = new FixedWindow(100, 1_000_000_000L);

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
  void rule_whollyDeniedThoughDemandWasBelowItsLimit_isBroken() {
    Decisions decisions =
        Decisions.of(STRICT, FIVE_PER_SECOND).throttle(10, "a", 1).throttle(20, "b", 6);

    assertThat(decisions.judged().allowedPermits()).isEqualTo(6);
    assertThat(decisions.judged().kept()).isFalse();
    assertThat(
            Judge.judge(List.of(decisions.judged()), List.of(decisions.judged()), QUICK).broken())
        .containsExactly(
            "test/rule admitted nothing, though its limit allowed 6 permits of what was asked for");
    assertThat(decisions.admit(30, "a", 1).judged().kept()).isTrue();
  }

  @Test
  void quotaKey_thatAnOverrideDenies_isNotTurnedAway() {
    RuleOverride denied =
        new RuleOverride(Map.of("user", new Matcher.Exact("a")), new OverrideEffect.Denied());
    RuleVerdict verdict =
        Decisions.of(BALANCED, FIVE_PER_SECOND, denied).throttle(10, "a", 1).judged();

    assertThat(verdict.throttled()).isEqualTo(1);
    assertThat(verdict.allowedPermits()).isZero();
    assertThat(verdict.innocentsTurnedAway()).isEqualTo(TurnedAway.NONE);
    assertThat(verdict.kept()).isTrue();
  }

  @Test
  void places_ofWhatIsForbidden_areTheFirstKeyAndWindow() {
    RuleVerdict verdict =
        Decisions.of(BALANCED, FIVE_PER_SECOND)
            .throttle(5, "innocent", 1)
            .admitTimes(5, 10, "a")
            .open(1010, 1, "b", 11)
            .admitTimes(6, 1020, "a")
            .admit(1300, "c", 1, 0)
            .throttle(2010, "innocent", 1)
            .judged();

    assertThat(verdict.places())
        .isEqualTo(
            new Places(
                Optional.of(place("a", 1, 1)),
                Optional.of(place("b", 1, 11)),
                Optional.of(place("c", 0, 1)),
                Optional.of(place("innocent", 0, 2))));
  }

  private static Place place(String user, long second, long count) {
    return new Place("test/rule/" + user, Decisions.START + second * 1_000_000_000L, count);
  }

  @Test
  void label_afterTheEndOfADayOfTheCalendar_isMislabelled() {
    FixedWindow daily =
        new FixedWindow(5, new Windows.Calendar(Windows.CalendarUnit.DAY, ZoneId.of("UTC")));
    long day = 86_400_000;
    // The window that holds the start of these times, which is 22:13:20 on 2023-11-14.
    long start = -(22 * 3_600 + 13 * 60 + 20) * 1_000L;
    Decisions decisions = Decisions.of(STRICT, daily).admit(0, "a", 1, start);
    assertThat(decisions.judged().mislabelled()).isZero();

    assertThat(decisions.admit(start + day + 1_000, "a", 1, start).judged().mislabelled())
        .isEqualTo(1);
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
  void balanced_grantedOver_isBroken() {
    Decisions opened = Decisions.of(BALANCED, HUNDRED_PER_SECOND).open(10, 1, "a", 100);

    RuleVerdict within = opened.admitTimes(100, 20, "a").judged();
    RuleVerdict over = opened.admit(30, "a", 1).judged();

    assertThat(within.over()).isEqualTo(100);
    assertThat(within.grantedOver()).isZero();
    assertThat(within.kept()).isTrue();
    assertThat(over.grantedOver()).isEqualTo(1);
    assertThat(over.worstOver()).isLessThanOrEqualTo(over.bound());
    assertThat(over.kept()).isFalse();
  }

  @Test
  void balanced_instanceOpensMoreThanTheLimitInAPeriod_isBroken() {
    Decisions decisions =
        Decisions.of(BALANCED, HUNDRED_PER_SECOND)
            .open(10, 0, "a", 60)
            .open(20, 1, "a", 100)
            .open(30, 0, "a", 40)
            .open(40, 0, "b", 100)
            .open(1010, 0, "a", 100);
    RuleVerdict all = decisions.judged();

    assertThat(all.opened()).isEqualTo(new RuleVerdict.Opened(400, 100, 100));
    assertThat(all.kept()).isTrue();
    RuleVerdict more = decisions.open(1020, 0, "a", 1).judged();
    assertThat(more.opened()).isEqualTo(new RuleVerdict.Opened(401, 101, 100));
    assertThat(more.worstOver()).isLessThanOrEqualTo(more.bound());
    assertThat(more.kept()).isFalse();
  }

  @Test
  void strict_anyOpening_isBroken() {
    RuleVerdict verdict = Decisions.of(STRICT, FIVE_PER_SECOND).open(10, 0, "a", 1).judged();

    assertThat(verdict.over()).isZero();
    assertThat(verdict.kept()).isFalse();
  }

  @Test
  void balanced_overByMoreThanOneLoopAsksFor_isBroken() {
    // A loop of 60 ms touches three slices of 50 ms, in each of which 10 permits at most are asked.
    Decisions decisions = Decisions.of(BALANCED, HUNDRED_PER_SECOND);
    for (int i = 0; i < 13; i++) {
      decisions.open(50 * i, i % 2, "a", 10);
    }
    RuleVerdict atBound = decisions.judged(60);
    RuleVerdict above = decisions.open(650, 1, "a", 1).judged(60);

    assertThat(atBound.bound()).isEqualTo(30);
    assertThat(atBound.worstOver()).isEqualTo(30);
    assertThat(atBound.kept()).isTrue();
    assertThat(above.bound()).isEqualTo(30);
    assertThat(above.worstOver()).isEqualTo(31);
    assertThat(above.kept()).isFalse();
    assertThat(above.worstCase()).isEqualTo(200);
    assertThat(decisions.judged().kept()).as("by the worst case").isTrue();
  }

  @Test
  void bound_throttledRequests_areDemandToo_upToTheWorstCase() {
    Decisions decisions =
        Decisions.of(BALANCED, HUNDRED_PER_SECOND).open(0, 0, "a", 1).throttle(10, "a", 39);

    assertThat(decisions.judged(40).bound()).isEqualTo(80);
    assertThat(decisions.throttle(60, "b", 1_000).judged(40).bound()).isEqualTo(200);
  }

  @Test
  void worst_isTheKeyFurthestAboveItsOwnBound() {
    RuleVerdict verdict =
        Decisions.of(BALANCED, HUNDRED_PER_SECOND)
            .open(0, 0, "busy", 80)
            .open(0, 1, "busy", 60)
            .open(100, 0, "calm", 50)
            .open(200, 1, "calm", 50)
            .open(300, 0, "calm", 30)
            .open(500, 1, "calm", 10)
            .judged(0);

    assertThat(verdict.bound()).isEqualTo(50);
    assertThat(verdict.worst())
        .hasValue(new RuleVerdict.WorstWindow("test/rule/calm", Decisions.START, 40));
  }
}
