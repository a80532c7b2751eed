package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Rule;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages about terms that only some algorithms have. */
class RuleFileLimitTermsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Calendar.
        "per: month, zone: Europe/Berln | 4:43: unknown time zone \"Europe/Berln\"; did you mean"
            + " \"Europe/Berlin\"?",
        "per: month, zone: Nowhere/Land | 4:43: unknown time zone \"Nowhere/Land\"; use a name such"
            + " as Europe/Berlin, or UTC",
        "per: month, zone: [UTC] | 4:43: zone must be text, not a list",
        "per: months | 4:30: per \"months\" is no duration; did you mean \"month\"?",
        "per: 1d, zone: UTC | 4:40: zone has a meaning for a period of the calendar only; remove"
            + " it, or use one of per: minute, hour, day, week, month, year",
        "per: month, algorithm: sliding-window | 4:30: a period of the calendar needs algorithm:"
            + " fixed-window, not sliding-window; use a number and ms, s, m, h or d, such as 1d",
        "per: month, algorithm: token-bucket, zone: UTC | 4:30: a period of the calendar needs"
            + " algorithm: fixed-window, not token-bucket; use a number and ms, s, m, h or d, such"
            + " as 1d",
        // Slots.
        "per: 1m, algorithm: sliding-sub-windows | 4:12: missing \"slots\"; give into how many"
            + " parts the period is divided, such as slots: 6",
        "per: 1s, algorithm: sliding-sub-windows, slots: 7 | 4:73: slots must divide the period"
            + " into equal parts of at least 10 ms: slots=7; choose a number that divides the"
            + " period evenly",
        "per: 100ms, algorithm: sliding-sub-windows, slots: 20 | 4:76: slots must divide the period"
            + " into equal parts of at least 10 ms: slots=20; choose a number that divides the"
            + " period evenly",
        "per: 1m, algorithm: sliding-sub-windows, slots: 1 | 4:73: slots must be between 2 and 100,"
            + " not \"1\"",
        "per: 1m, algorithm: sliding-sub-windows, slots: 101 | 4:73: slots must be between 2 and"
            + " 100, not \"101\"",
        "per: 1m, algorithm: sliding-sub-windows, slots: six | 4:73: slots must be a whole number,"
            + " not \"six\"; use digits such as 1000 or 1_000",
        "per: 1m, slots: 6 | 4:41: slots has no meaning for sliding-window; remove it, or use"
            + " algorithm: sliding-sub-windows",
        // Buckets.
        "per: 1m, algorithm: token-bucket, burst: 10, initial: 11 | 4:79: initial must be between 0"
            + " and 10, not \"11\"",
        "per: 1m, algorithm: token-bucket, initial: -1 | 4:68: initial must be a whole number, not"
            + " \"-1\"; use digits such as 1000 or 1_000",
        "per: 1m, algorithm: leaky-bucket, initial: 5 | 4:68: initial has no meaning for"
            + " leaky-bucket; remove it, or use algorithm: token-bucket",
        "per: 399d, algorithm: leaky-bucket, burst: 1_000 | 4:68: burst must be <= 333 for this"
            + " rate: burst=1000; choose a smaller burst or rounder numbers",
        "per: 1m, algorithm: token-bucket, refill: intervall | 4:67: unknown refill \"intervall\";"
            + " did you mean \"interval\"? (one of greedy, interval)",
        "per: 1m, algorithm: token-bucket, refill: interval, warm-up: 10s | 4:86: warm-up has no"
            + " meaning for refill: interval; remove one of the two",
        "per: 1m, algorithm: token-bucket, warm-up: 25h | 4:68: warm-up must be between 1ms and 1d,"
            + " not \"25h\"",
        "per: 1m, algorithm: token-bucket, warm-up: soon | 4:68: warm-up \"soon\" is no duration;"
            + " use a number and ms, s, m, h or d, such as 1s, or PT1S",
        "per: 1m, algorithm: fixed-window, burst: 5 | 4:66: burst has no meaning for fixed-window;"
            + " remove it, or use algorithm: token-bucket",
        // Log.
        "per: 1m, algorithm: sliding-log, count-throttled: maybe | 4:75: unknown count-throttled"
            + " \"maybe\"; use one of true, false",
        "per: 1m, count-throttled: true | 4:51: count-throttled has no meaning for sliding-window;"
            + " remove it, or use algorithm: sliding-log",
      })
  void parse_termThatCannotBe_saysWhereAndWhat(String terms, String problem) {
    assertThat(RuleFiles.problems(RuleFiles.withLimit("{permits: 5, " + terms + "}")))
        .containsExactly(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "per: 1m, algorithm: sliding-sub-windows, slots: 6 | slots: 12 | 7:54: an override must"
            + " count as its rule does, {permits: 5, per: 1m, algorithm: sliding-sub-windows,"
            + " slots: 6}; leave out what is not permits, burst or initial",
        "per: 1m, algorithm: token-bucket | refill: interval | 7:55: an override must count as its"
            + " rule does, {permits: 5, per: 1m, algorithm: token-bucket, burst: 5}; leave out what"
            + " is not permits, burst or initial",
        "per: 1m, algorithm: sliding-log | algorithm: fixed-window | 7:58: algorithm of an override"
            + " must be that of the rule, not fixed-window; use sliding-log, or leave it out",
        "per: month | per: week | 7:52: per of an override must be that of the rule, not week; use"
            + " month, or leave it out",
        "per: day | per: 1d | 7:52: per of an override must be that of the rule, not 1d; use day,"
            + " or leave it out",
        "per: month, zone: Europe/Berlin | zone: UTC | 7:53: zone of an override must be that of"
            + " the rule, not UTC; use Europe/Berlin, or leave it out",
        "per: 1m | zone: UTC | 7:53: zone has no meaning for per: 1m; remove it",
        "per: 1m, algorithm: token-bucket | burst: 3, initial: 4 | 7:66: initial must be between 0"
            + " and 3, not \"4\"",
      })
  void parse_overrideThatCountsOtherwise_saysWhatMustBeEqual(
      String rule, String override, String problem) {
    assertThat(RuleFiles.problems(withOverride(rule, override))).containsExactly(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "per: month, zone: Europe/Berlin | per: month",
        "per: month, zone: Europe/Berlin | per: month, zone: Europe/Berlin",
        "per: month, zone: Europe/Berlin | zone: Europe/Berlin",
        "per: 1m, algorithm: sliding-sub-windows, slots: 6 | slots: 6",
        "per: 1m, algorithm: sliding-sub-windows, slots: 6 | ''",
        "per: 1m, algorithm: token-bucket, warm-up: 10s | burst: 20, initial: 0",
        "per: 1m, algorithm: token-bucket, refill: interval | burst: 20",
        "per: 1m, algorithm: leaky-bucket, burst: 7 | burst: 0",
        "per: 399d, algorithm: leaky-bucket | burst: 7",
      })
  void parse_overrideThatCountsAsItsRule_isRead(String rule, String override) {
    Rule read = RuleFiles.rule(withOverride(rule, override));
    Limit limit = read.overrides().all().get(0).limit().orElseThrow();
    assertThat(limit.countsAlike(read.limit())).isTrue();
    assertThat(limit.permits()).isEqualTo(20);
  }

  private static String withOverride(String rule, String override) {
    return RuleFiles.withLimit("{permits: 5, " + rule + "}")
        + "    key: [user]\n"
        + "    overrides:\n"
        + "      - {key: {user: a}, limit: {permits: 20"
        + (override.isEmpty() ? "" : ", " + override)
        + "}}\n";
  }
}
