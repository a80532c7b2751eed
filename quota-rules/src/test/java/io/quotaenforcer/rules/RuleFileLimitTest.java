package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.algorithm.Windows.Calendar;
import io.quotaenforcer.core.algorithm.Windows.CalendarUnit;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RuleFileLimitTest {
  private static final long SECOND = 1_000_000_000L;

  @ParameterizedTest(name = "{0}")
  @MethodSource("good")
  void parse_goodLimit_isRead(String yaml, Limit limit) {
    assertThat(RuleFiles.rule(RuleFiles.withLimit(yaml)).limit()).isEqualTo(limit);
  }

  static Stream<Arguments> good() {
    return Stream.of(
        Arguments.of("{permits: 2, per: 1s}", new SlidingWindow(2, SECOND)),
        Arguments.of("{permits: 1_000, per: 100ms}", new SlidingWindow(1000, SECOND / 10)),
        Arguments.of("{permits: 0, per: 5m}", new SlidingWindow(0, 300 * SECOND)),
        Arguments.of("{permits: 007, per: 3h}", new SlidingWindow(7, 3 * 3600 * SECOND)),
        Arguments.of(
            "{permits: 10, per: 7d, algorithm: fixed-window}",
            new FixedWindow(10, 7 * 86_400 * SECOND)),
        Arguments.of("{permits: 10, per: PT1M30S}", new SlidingWindow(10, 90 * SECOND)),
        Arguments.of(
            "{permits: 5, per: 1s, algorithm: token-bucket}", new TokenBucket(5, SECOND, 5)),
        Arguments.of(
            "{permits: 5, per: 1s, algorithm: token-bucket, burst: 20}",
            new TokenBucket(5, SECOND, 20)),
        Arguments.of(
            "{permits: \"1000000000000\", per: 400d}",
            new SlidingWindow(1_000_000_000_000L, 400 * 86_400 * SECOND)),
        Arguments.of(
            "{permits: 5, per: month}",
            new FixedWindow(5, new Calendar(CalendarUnit.MONTH, ZoneOffset.UTC))),
        Arguments.of(
            "{permits: 5, per: week, zone: Europe/Berlin, algorithm: fixed-window}",
            new FixedWindow(5, new Calendar(CalendarUnit.WEEK, ZoneId.of("Europe/Berlin")))),
        Arguments.of(
            "{permits: 100, per: 60s, algorithm: sliding-sub-windows, slots: 6}",
            new SlidingSubWindows(100, 60 * SECOND, 6)),
        Arguments.of(
            "{permits: 2, per: 1m, algorithm: sliding-log}", new SlidingLog(2, 60 * SECOND, false)),
        Arguments.of(
            "{permits: 2, per: 1m, algorithm: sliding-log, count-throttled: true}",
            new SlidingLog(2, 60 * SECOND, true)),
        Arguments.of(
            "{permits: 5, per: 1s, algorithm: token-bucket, burst: 20, initial: 0}",
            new TokenBucket(5, SECOND, 20, 0)),
        Arguments.of(
            "{permits: 4, per: 1m, algorithm: token-bucket, refill: interval}",
            new IntervalBucket(4, 60 * SECOND, 4, 4)),
        Arguments.of(
            "{permits: 5, per: 1s, algorithm: token-bucket, warm-up: 30s}",
            new WarmUpBucket(5, SECOND, 5, 5, 30 * SECOND)),
        Arguments.of(
            "{permits: 100, per: 1s, algorithm: leaky-bucket}", LeakyBucket.of(100, SECOND, 0)),
        Arguments.of(
            "{permits: 100, per: 1s, algorithm: leaky-bucket, burst: 20}",
            LeakyBucket.of(100, SECOND, 20)));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void parse_brokenLimit_saysWhereAndWhat(String yaml, List<String> problems) {
    assertThat(RuleFiles.problems(RuleFiles.withLimit(yaml))).containsExactlyElementsOf(problems);
  }

  static Stream<Arguments> broken() {
    return Stream.of(
        broken(
            "{permits: 2, per: 1s, algorithm: sliding-windw}",
            "4:45: unknown algorithm \"sliding-windw\"; did you mean \"sliding-window\"? (one of"
                + " fixed-window, sliding-window, sliding-sub-windows, sliding-log, token-bucket,"
                + " leaky-bucket)"),
        broken(
            "{permits: 2, per: 1s, algorithm: gcra}",
            "4:45: unknown algorithm \"gcra\"; use one of fixed-window, sliding-window,"
                + " sliding-sub-windows, sliding-log, token-bucket, leaky-bucket"),
        broken(
            "{permit: 2, per: 1s}",
            "4:13: unknown key \"permit\"; did you mean \"permits\"? (one of permits, per,"
                + " algorithm, burst, initial, refill, warm-up, slots, count-throttled, zone,"
                + " concurrent, max-hold)"),
        broken("{permits: 2}", "4:12: missing \"per\"; give the period, such as per: 1s"),
        broken("2/s", "4:12: a limit must be a mapping such as {permits: 2, per: 1s}, not \"2/s\""),
        broken("", "4:11: a limit must be a mapping such as {permits: 2, per: 1s}, not nothing"),
        broken(
            "{permits: 2.5, per: 1s}",
            "4:22: permits must be a whole number, not \"2.5\"; for a fraction choose a longer"
                + " period"),
        broken(
            "{permits: -1, per: 1s}",
            "4:22: permits must be a whole number, not \"-1\"; use digits such as 1000 or 1_000"),
        broken(
            "{permits: 1e3, per: 1s}",
            "4:22: permits must be a whole number, not \"1e3\"; use digits such as 1000 or 1_000"),
        broken(
            "{permits: 99999999999999999999, per: 1s}",
            "4:22: permits must be between 0 and 1000000000000, not \"99999999999999999999\""),
        broken(
            "{permits: , per: 1s}",
            "4:21: permits must be text, not nothing; give a value, or remove it"),
        broken("{permits: [2], per: 1s}", "4:22: permits must be text, not a list"),
        broken(
            "{permits: 0, per: 1s, algorithm: token-bucket}",
            "4:22: permits of a token-bucket must be between 1 and 1000000000000, not \"0\""),
        broken(
            "{permits: 2, per: 1}",
            "4:30: per \"1\" is no duration; use a number and ms, s, m, h or d, such as 1s, or"
                + " PT1S"),
        broken(
            "{permits: 2, per: 1.5s}",
            "4:30: per \"1.5s\" is no duration; use a number and ms, s, m, h or d, such as 1s, or"
                + " PT1S"),
        broken("{permits: 2, per: 99ms}", "4:30: per must be between 100ms and 400d, not \"99ms\""),
        broken(
            "{permits: 2, per: 999999999999999999d}",
            "4:30: per must be between 100ms and 400d, not \"999999999999999999d\""),
        broken(
            "{permits: 2, per: PT1.0005S}",
            "4:30: per must be whole milliseconds, not \"PT1.0005S\""),
        broken(
            "{permits: 2, per: PT-1S}", "4:30: per must be between 100ms and 400d, not \"PT-1S\""),
        broken(
            "{permits: 2, per: 1s, burst: 5}",
            "4:41: burst has no meaning for sliding-window; remove it, or use algorithm:"
                + " token-bucket"),
        broken(
            "{permits: 2, per: 1s, algorithm: token-bucket, burst: 0}",
            "4:66: burst must be between 1 and 1000000000000, not \"0\""),
        broken(
            "{permits: 999_999_999_999, per: 399d, algorithm: token-bucket, burst: 1000000}",
            "4:82: burst must be <= 12641 for this rate: burst=1000000; choose a smaller burst or"
                + " rounder numbers"),
        broken(
            "{permits: x, per: y, algorithm: z, burst: w, more: v}",
            "4:22: permits must be a whole number, not \"x\"; use digits such as 1000 or 1_000",
            "4:30: per \"y\" is no duration; use a number and ms, s, m, h or d, such as 1s, or"
                + " PT1S",
            "4:44: unknown algorithm \"z\"; use one of fixed-window, sliding-window,"
                + " sliding-sub-windows, sliding-log, token-bucket, leaky-bucket",
            "4:54: burst must be a whole number, not \"w\"; use digits such as 1000 or 1_000",
            "4:57: unknown key \"more\"; use one of permits, per,"
                + " algorithm, burst, initial, refill, warm-up, slots, count-throttled, zone,"
                + " concurrent, max-hold"));
  }

  private static Arguments broken(String limit, String... problems) {
    return Arguments.of(limit, List.of(problems));
  }
}
