package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Windows.Calendar;
import io.quotaenforcer.core.algorithm.Windows.CalendarUnit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fourteen examples as guides to rate limiters work them out, each by its algorithm in one process.
 * The enforcer's {@code WorkedExamplesTest} has the same ones through topology and clients.
 */
class WorkedExamplesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  @Test
  void example01_counterAtAQuarterOfTheWindow_estimates78AndAdmits() {
    ExampleMeter meter = new ExampleMeter(new SlidingWindow(100, MINUTE));
    assertThat(meter.admitted(88, "00:00:30")).isEqualTo(88);
    assertThat(meter.admitted(12, "00:01:10")).isEqualTo(12);

    assertThat(meter.used("00:01:15")).isEqualTo(78);
    assertThat(meter.admitted(23, "00:01:15")).isEqualTo(22);
  }

  @Test
  void example02_counterEstimatesSixAndAHalf_roundsDownAndAdmits() {
    ExampleMeter meter = new ExampleMeter(new SlidingWindow(7, MINUTE));
    assertThat(meter.admitted(5, "00:00:30")).isEqualTo(5);
    assertThat(meter.admitted(3, "00:01:10")).isEqualTo(3);

    assertThat(meter.used("00:01:18")).isEqualTo(6);
    assertThat(meter.admits("00:01:18")).isTrue();
    assertThat(meter.admits("00:01:18")).isFalse();
  }

  @Test
  void example03_counterEstimates49AndAHalf_admitsOneMore() {
    ExampleMeter meter = new ExampleMeter(new SlidingWindow(50, MINUTE));
    assertThat(meter.admitted(42, "00:00:30")).isEqualTo(42);
    assertThat(meter.admitted(18, "00:01:14.800")).isEqualTo(18);

    assertThat(meter.used("00:01:15")).isEqualTo(49);
    assertThat(meter.admits("00:01:15")).isTrue();
    assertThat(meter.admits("00:01:15")).isFalse();
  }

  @Test
  void example04_tenOnEitherSideOfABorder_passOnlyTheFixedWindow() {
    ExampleMeter fixed = new ExampleMeter(new FixedWindow(10, MINUTE));
    assertThat(fixed.admitted(10, "00:01:45")).isEqualTo(10);
    assertThat(fixed.admitted(10, "00:02:15")).isEqualTo(10);

    for (Limit sliding :
        List.of(new SlidingLog(10, MINUTE, false), new SlidingSubWindows(10, MINUTE, 6))) {
      ExampleMeter meter = new ExampleMeter(sliding);
      assertThat(meter.admitted(10, "00:01:45")).isEqualTo(10);
      assertThat(meter.admitted(10, "00:02:15")).as("%s", sliding).isZero();
    }

    // Its estimate fades: a quarter into the window, 7.5 of the first ten are left.
    ExampleMeter counter = new ExampleMeter(new SlidingWindow(10, MINUTE));
    assertThat(counter.admitted(10, "00:01:45")).isEqualTo(10);
    assertThat(counter.admitted(10, "00:02:00")).isZero();
    assertThat(counter.admitted(10, "00:02:15")).isEqualTo(3);
  }

  @Test
  void example05_logThatKeepsThrottledRequests_countsThem() {
    ExampleMeter meter = new ExampleMeter(new SlidingLog(2, MINUTE, true));
    assertThat(meter.admits("01:00:01")).isTrue();
    assertThat(meter.admits("01:00:30")).isTrue();
    assertThat(meter.admits("01:00:50")).isFalse();
    // What is left is the throttled request of 1:00:50.
    assertThat(meter.used("01:01:40")).isEqualTo(1);
    assertThat(meter.admits("01:01:40")).isTrue();
  }

  @Test
  void example06_sixSubWindows_throttleTheBurstAtTheBorder() {
    ExampleMeter meter = new ExampleMeter(new SlidingSubWindows(100, MINUTE, 6));
    assertThat(meter.admitted(100, "00:00:59")).isEqualTo(100);
    assertThat(meter.admitted(100, "00:01:00")).isZero();
    assertThat(meter.admitted(100, "00:01:49.999")).isZero();
    assertThat(meter.admitted(101, "00:01:50")).isEqualTo(100);
  }

  @Test
  void example07_fivePercentTolerance_the525thPassesAndThe526thDoesNot() {
    Rule soft = perClient(new FixedWindow(500, MINUTE), 500, List.of());
    ExampleMeter meter = new ExampleMeter(limitOf(soft, "A"));
    assertThat(meter.admitted(524, "00:00:10")).isEqualTo(524);
    assertThat(meter.admits("00:00:10")).isTrue();
    assertThat(meter.admits("00:00:10")).isFalse();
  }

  @Test
  void example08_twoAndThreeRequests_leaveFiveOfTenAndResetAtTheMinute() {
    ExampleMeter meter = new ExampleMeter(new FixedWindow(10, MINUTE));
    assertThat(meter.admitted(2, "00:01:05")).isEqualTo(2);
    assertThat(meter.used("00:01:05")).isEqualTo(2);
    assertThat(meter.resetSeconds("00:01:05")).isEqualTo(55);

    assertThat(meter.admitted(3, "00:01:05")).isEqualTo(3);
    assertThat(meter.available("00:01:05")).isEqualTo(5);
  }

  static List<Arguments> everydayLimits() {
    return List.of(
        Arguments.of("one request per 5 s", new SlidingWindow(1, 5 * SECOND), 1),
        Arguments.of("2 posts/s", new SlidingWindow(2, SECOND), 2),
        Arguments.of("10 accounts/day", new FixedWindow(10, DAY), 10),
        Arguments.of("5 rewards/week", calendar(5, CalendarUnit.WEEK), 5),
        Arguments.of("300 per 3 h", new SlidingWindow(300, 3 * HOUR), 300),
        Arguments.of("300 reads per 60 s", new SlidingWindow(300, MINUTE), 300),
        Arguments.of("500 requests/min", new FixedWindow(500, MINUTE), 500));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("everydayLimits")
  void example09_everydayLimits_admitThatManyAndNoMore(String name, Limit limit, int permits) {
    ExampleMeter meter = new ExampleMeter(limit);
    assertThat(meter.admitted(2 * permits, "00:00:00")).isEqualTo(permits);
  }

  @Test
  void example09_clientAWith500PerSecond_hasALimitOfItsOwn() {
    RuleOverride ofA = RuleOverride.limited(Map.of("client", "A"), new FixedWindow(500, SECOND));
    Rule rule = perClient(new FixedWindow(10, SECOND), 0, List.of(ofA));
    ExampleMeter clientA = new ExampleMeter(limitOf(rule, "A"));
    ExampleMeter clientB = new ExampleMeter(limitOf(rule, "B"));
    assertThat(clientA.admitted(600, "00:00:00")).isEqualTo(500);
    assertThat(clientB.admitted(600, "00:00:00")).isEqualTo(10);
  }

  @Test
  void example10_burstOfMoreThanTheTokens_admitsJustTheTokens() {
    ExampleMeter interval = new ExampleMeter(new IntervalBucket(4, MINUTE, 4, 4));
    assertThat(interval.admitted(7, "00:00:10")).isEqualTo(4);
    assertThat(interval.admitted(7, "00:00:59")).isZero();
    assertThat(interval.admitted(7, "00:01:00")).isEqualTo(4);

    ExampleMeter greedy = new ExampleMeter(new TokenBucket(4, MINUTE, 4));
    assertThat(greedy.admitted(7, "00:00:10")).isEqualTo(4);
    assertThat(greedy.admitted(7, "00:00:25")).isEqualTo(1);
    assertThat(greedy.admitted(7, "00:01:25")).isEqualTo(4);
  }

  @Test
  void example11_eightInstances_have100PermitsInAll() {
    ExampleMeter global = new ExampleMeter(new SlidingWindow(100, SECOND));
    List<ExampleMeter> own = new ArrayList<>();
    int admittedOfOne = 0;
    int admittedOfOwn = 0;
    for (int instance = 0; instance < 8; instance++) {
      own.add(new ExampleMeter(new SlidingWindow(100, SECOND)));
      admittedOfOne += global.admitted(150, "00:00:00");
      admittedOfOwn += own.get(instance).admitted(150, "00:00:00");
    }
    assertThat(admittedOfOne).isEqualTo(100);
    assertThat(admittedOfOwn).isEqualTo(800);
  }

  @Test
  void example12_marketingMessages_areFiveADay() {
    ExampleMeter marketing = new ExampleMeter(new FixedWindow(5, DAY));
    assertThat(marketing.admitted(6, "09:00:00")).isEqualTo(5);
    assertThat(marketing.admits("23:59:59")).isFalse();
    assertThat(marketing.admits("2026-01-02T00:00:00Z")).isTrue();
  }

  @Test
  void example13_rateOfAddressAndOfApiKey_holdAtOnce() {
    ExampleMeter address = new ExampleMeter(LeakyBucket.of(100, SECOND, 20));
    ExampleMeter first = new ExampleMeter(LeakyBucket.of(50, SECOND, 10));
    ExampleMeter second = new ExampleMeter(LeakyBucket.of(50, SECOND, 10));
    int byFirst = 0;
    int bySecond = 0;
    for (int i = 0; i < 30; i++) {
      byFirst += ExampleMeter.bothAdmit(address, first, "00:00:01") ? 1 : 0;
    }
    for (int i = 0; i < 30; i++) {
      bySecond += ExampleMeter.bothAdmit(address, second, "00:00:01") ? 1 : 0;
    }
    assertThat(byFirst).as("1 and a burst of 10 of the API key").isEqualTo(11);
    assertThat(bySecond).as("what is left of 1 and a burst of 20 of the address").isEqualTo(10);
    assertThat(second.available("00:00:01")).as("nothing taken by the throttled").isEqualTo(1);
  }

  @Test
  void example14_paidCalls_spendABudgetPerCalendarMonth() {
    ExampleMeter budget =
        new ExampleMeter(
            new FixedWindow(100_000, new Calendar(CalendarUnit.MONTH, ZoneId.of("Europe/Berlin"))));
    assertThat(budget.admits("2026-03-05T10:00:00Z", 75_000)).isTrue();
    assertThat(budget.admits("2026-03-28T10:00:00Z", 25_001)).isFalse();
    assertThat(budget.admits("2026-03-28T10:00:00Z", 25_000)).isTrue();
    // Clocks are set to summer time on 29 March: the month ends at 22:00 UTC, not at 23:00.
    assertThat(budget.admits("2026-03-31T21:59:59Z", 1)).isFalse();
    assertThat(budget.resetSeconds("2026-03-31T21:59:59Z")).isEqualTo(1);
    assertThat(budget.admits("2026-03-31T22:00:00Z", 100_000)).isTrue();
  }

  private static FixedWindow calendar(long permits, CalendarUnit unit) {
    return new FixedWindow(permits, new Calendar(unit, ZoneOffset.UTC));
  }

  private static Rule perClient(
      Limit limit, int toleranceBasisPoints, List<RuleOverride> overrides) {
    return Rule.of(new RuleId("test", "rule"), List.of("client"), limit)
        .withTolerance(toleranceBasisPoints)
        .withOverrides(overrides);
  }

  private static Limit limitOf(Rule rule, String client) {
    return rule.limitOf(QuotaKey.of(rule.id(), List.of(client)));
  }
}
