package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of the {@code WorkedExamplesTest} of the algorithms, through rule file, topology,
 * store and an admission client's book: those about windows that slide, or do not. The rules are
 * strict, which makes the outcome exact; a use is booked when it is reported, which may be some
 * hundredths of a second later.
 */
class WorkedExamplesTest {
  @TempDir Path state;

  @Test
  void example01_counterAtAQuarterOfTheWindow_estimates78AndAdmits() {
    try (ServiceFixture service = perMinute("permits: 100, per: 1m, algorithm: sliding-window")) {
      assertThat(service.at("00:00:30").admitted(88, "user", "42")).isEqualTo(88);
      assertThat(service.at("00:01:10").admitted(12, "user", "42")).isEqualTo(12);

      assertThat(service.at("00:01:15").admitted(23, "user", "42")).isEqualTo(22);
    }
  }

  @Test
  void example02_counterEstimatesSixAndAHalf_roundsDownAndAdmits() {
    try (ServiceFixture service = perMinute("permits: 7, per: 1m")) {
      assertThat(service.at("00:00:30").admitted(5, "user", "42")).isEqualTo(5);
      assertThat(service.at("00:01:10").admitted(3, "user", "42")).isEqualTo(3);

      assertThat(service.at("00:01:18").admitted(2, "user", "42")).isEqualTo(1);
    }
  }

  @Test
  void example03_counterEstimates49AndAHalf_admitsOneMore() {
    try (ServiceFixture service = perMinute("permits: 50, per: 1m")) {
      assertThat(service.at("00:00:30").admitted(42, "user", "42")).isEqualTo(42);
      assertThat(service.at("00:01:14.800").admitted(18, "user", "42")).isEqualTo(18);

      assertThat(service.at("00:01:15").admitted(2, "user", "42")).isEqualTo(1);
    }
  }

  @Test
  void example04_tenOnEitherSideOfABorder_passOnlyTheFixedWindow() {
    String rules =
        """
        domain: borders
        rules:
          - id: fixed
            match: {kind: fixed}
            limit: {permits: 10, per: 1m, algorithm: fixed-window}
            enforcement: strict
          - id: log
            match: {kind: log}
            limit: {permits: 10, per: 1m, algorithm: sliding-log}
            enforcement: strict
          - id: sub-windows
            match: {kind: sub-windows}
            limit: {permits: 10, per: 1m, algorithm: sliding-sub-windows, slots: 6}
            enforcement: strict
          - id: counter
            match: {kind: counter}
            limit: {permits: 10, per: 1m, algorithm: sliding-window}
            enforcement: strict
        """;
    try (ServiceFixture service = new ServiceFixture(state, rules)) {
      service.at("00:01:45");
      for (String kind : List.of("fixed", "log", "sub-windows", "counter")) {
        assertThat(service.admitted(10, "kind", kind)).as(kind).isEqualTo(10);
      }
      service.at("00:02:00");
      assertThat(service.admitted(10, "kind", "counter")).isZero();

      service.at("00:02:15");
      assertThat(service.admitted(10, "kind", "fixed")).isEqualTo(10);
      assertThat(service.admitted(10, "kind", "log")).isZero();
      assertThat(service.admitted(10, "kind", "sub-windows")).isZero();
      // Its estimate fades: a quarter into the window, 7.5 of the first ten are left.
      assertThat(service.admitted(10, "kind", "counter")).isEqualTo(3);
    }
  }

  @Test
  void example05_logThatKeepsThrottledRequests_countsThem() {
    try (ServiceFixture service =
        perMinute("permits: 2, per: 1m, algorithm: sliding-log, count-throttled: true")) {
      assertThat(service.at("01:00:01").admits("user", "42")).isTrue();
      assertThat(service.at("01:00:30").admits("user", "42")).isTrue();
      assertThat(service.at("01:00:50").admits("user", "42")).isFalse();
      // The throttled request of 1:00:50 remains: of two, one is admitted.
      assertThat(service.at("01:01:40").admitted(2, "user", "42")).isEqualTo(1);
    }
  }

  @Test
  void example05_logThatForgetsThrottledRequests_doesNotCountThem() {
    try (ServiceFixture service = perMinute("permits: 2, per: 1m, algorithm: sliding-log")) {
      assertThat(service.at("01:00:01").admits("user", "42")).isTrue();
      assertThat(service.at("01:00:30").admits("user", "42")).isTrue();
      assertThat(service.at("01:00:50").admits("user", "42")).isFalse();
      assertThat(service.at("01:01:40").admitted(2, "user", "42")).isEqualTo(2);
    }
  }

  @Test
  void example06_sixSubWindows_throttleTheBurstAtTheBorder() {
    try (ServiceFixture service =
        perMinute("permits: 100, per: 60s, algorithm: sliding-sub-windows, slots: 6")) {
      assertThat(service.at("00:00:59").admitted(100, "user", "42")).isEqualTo(100);
      assertThat(service.at("00:01:00").admitted(100, "user", "42")).isZero();
      assertThat(service.at("00:01:49.990").admitted(100, "user", "42")).isZero();
      assertThat(service.at("00:01:50.100").admitted(101, "user", "42")).isEqualTo(100);
    }
  }

  @Test
  void example07_fivePercentTolerance_the525thPassesAndThe526thDoesNot() {
    String rules =
        """
        domain: soft
        rules:
          - id: per-user
            key: [user]
            limit: {permits: 500, per: 1m, algorithm: fixed-window}
            tolerance: 5%
            enforcement: strict
        """;
    try (ServiceFixture service = new ServiceFixture(state, rules)) {
      assertThat(service.at("00:00:10").admitted(524, "user", "42")).isEqualTo(524);
      assertThat(service.at("00:00:20").admits("user", "42")).isTrue();
      assertThat(service.at("00:00:30").admits("user", "42")).isFalse();
    }
  }

  @Test
  void example08_twoAndThreeRequests_leaveFiveOfTenAndResetAtTheMinute() {
    try (ServiceFixture service = perMinute("permits: 10, per: 1m, algorithm: fixed-window")) {
      QuotaKey key = QuotaKey.of(new RuleId("examples", "per-user"), List.of("42"));
      assertThat(service.at("00:01:05").admits("user", "42")).isTrue();
      RuleDecision second = service.decision("user", "42");
      assertThat(Duration.ofNanos(second.resetNanos())).isEqualTo(Duration.ofSeconds(55));
      assertThat(second.remaining()).isEqualTo(8);
      service.passes(Duration.ofMillis(200));
      assertThat(service.topology.counted()).containsEntry(key, 2L);

      assertThat(service.admitted(2, "user", "42")).isEqualTo(2);
      assertThat(service.decision("user", "42").remaining()).isEqualTo(5);
      service.at("00:01:06");
      assertThat(service.admitted(6, "user", "42")).isEqualTo(5);
    }
  }

  @Test
  void example14_paidCalls_spendABudgetPerCalendarMonth() {
    // Cents: a cost is a whole number of permits.
    String rules =
        """
        domain: paid-calls
        rules:
          - id: budget-per-provider
            match: {direction: outbound}
            key: [provider]
            limit: {permits: 100_000, per: month, zone: Europe/Berlin}
            enforcement: strict
        """;
    try (ServiceFixture service = new ServiceFixture(state, rules)) {
      service.at("2026-03-05T10:00:00Z");
      assertThat(service.admitted(0, 1, call(75_000))).isEqualTo(1);
      // What rests comes back after ten minutes.
      service.at("2026-03-05T10:09:52Z").run(Duration.ofSeconds(5));
      service.at("2026-03-28T10:00:00Z");
      assertThat(service.admitted(0, 1, call(25_001))).isZero();
      service.at("2026-03-28T10:00:01Z");
      assertThat(service.admitted(0, 1, call(25_000))).isEqualTo(1);

      // Clocks are set to summer time on 29 March: the month ends at 22:00 UTC, not at 23:00.
      service.at("2026-03-31T21:59:59Z");
      RuleDecision last = service.decide(0, 1, call(1)).get(0).rule().orElseThrow();
      assertThat(last.retryAfterNanos()).isPositive();
      assertThat(Duration.ofNanos(last.resetNanos())).isEqualTo(Duration.ofSeconds(1));
      service.at("2026-03-31T22:00:00Z");
      assertThat(service.admitted(0, 1, call(100_000))).isEqualTo(1);
    }
  }

  private static Request call(long cents) {
    return Request.of("direction", "outbound", "provider", "maps").withCost(cents);
  }

  private ServiceFixture perMinute(String limit) {
    String rules =
        """
        domain: examples
        rules:
          - id: per-user
            key: [user]
            limit: {%s}
            enforcement: strict
        """;
    return new ServiceFixture(state, rules.formatted(limit));
  }
}
