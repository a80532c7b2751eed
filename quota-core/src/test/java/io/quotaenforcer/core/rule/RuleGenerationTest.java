package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.algorithm.Windows.Calendar;
import io.quotaenforcer.core.algorithm.Windows.CalendarUnit;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which changes of a limit keep what was counted. */
class RuleGenerationTest {
  private static final long SECOND = 1_000_000_000L;

  static List<Arguments> changes() {
    return List.of(
        Arguments.of("a zone", months("UTC"), months("Europe/Berlin"), true),
        Arguments.of(
            "slots",
            new SlidingSubWindows(10, SECOND, 5),
            new SlidingSubWindows(10, SECOND, 10),
            true),
        Arguments.of(
            "a refill",
            new TokenBucket(10, SECOND, 10),
            new IntervalBucket(10, SECOND, 10, 10),
            true),
        Arguments.of(
            "a warm-up that was not there",
            new TokenBucket(10, SECOND, 10),
            new WarmUpBucket(10, SECOND, 10, 10, SECOND),
            true),
        Arguments.of(
            "a longer warm-up",
            new WarmUpBucket(10, SECOND, 10, 10, SECOND),
            new WarmUpBucket(10, SECOND, 10, 10, 2 * SECOND),
            false),
        Arguments.of(
            "a burst", LeakyBucket.of(10, SECOND, 5), LeakyBucket.of(10, SECOND, 20), false),
        Arguments.of(
            "initial tokens",
            new TokenBucket(10, SECOND, 10),
            new TokenBucket(10, SECOND, 10, 0),
            false),
        Arguments.of(
            "whether throttled requests count",
            new SlidingLog(10, SECOND, false),
            new SlidingLog(10, SECOND, true),
            false));
  }

  @ParameterizedTest(name = "{0}: {3}")
  @MethodSource("changes")
  void startsNewGenerationAfter_anotherTerm_isAsTheStateDependsOnIt(
      String what, Limit before, Limit after, boolean starts) {
    assertThat(rule(after).startsNewGenerationAfter(rule(before))).isEqualTo(starts);
    assertThat(rule(before).startsNewGenerationAfter(rule(after))).isEqualTo(starts);
  }

  private static Rule rule(Limit limit) {
    return Rule.of(new RuleId("test", "rule"), List.of("user"), limit);
  }

  private static Limit months(String zone) {
    return new FixedWindow(10, new Calendar(CalendarUnit.MONTH, ZoneId.of(zone)));
  }
}
