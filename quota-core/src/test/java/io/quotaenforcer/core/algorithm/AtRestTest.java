package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AtRestTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long DAY = 24 * 3_600 * SECOND;

  @Test
  void windowsAndLimitsThatSlide_areKept_ifTheirPeriodsAreASecondOrMore() {
    assertThat(AtRest.lets(new FixedWindow(60, SECOND))).isTrue();
    assertThat(AtRest.lets(new FixedWindow(60, SECOND - 1))).isFalse();
    assertThat(AtRest.lets(new SlidingWindow(60, 30 * DAY))).isTrue();
    assertThat(AtRest.lets(new SlidingSubWindows(60, SECOND, 10))).isTrue();
    assertThat(AtRest.lets(new SlidingLog(60, SECOND, false))).isTrue();
    assertThat(AtRest.lets(new SlidingLog(60, SECOND, true))).as("not divided").isFalse();
  }

  @Test
  void bucketOfASteadyRate_isKept_ifItDoesNotFillTooSoon_orTakeTooLong() {
    assertThat(AtRest.lets(new TokenBucket(60, SECOND, 60))).isTrue();
    assertThat(AtRest.lets(new TokenBucket(60, SECOND, 59))).isFalse();
    assertThat(AtRest.lets(new TokenBucket(60, SECOND / 2, 120))).isTrue();
    assertThat(AtRest.lets(new TokenBucket(60, DAY, 60))).isTrue();
    assertThat(AtRest.lets(new TokenBucket(60, DAY + 1, 60))).isFalse();
    assertThat(AtRest.lets(new WarmUpBucket(60, SECOND, 60, 60, SECOND))).isFalse();
  }

  @Test
  void bucketThatIsRefilledAtIntervals_isKept_ifTheyAreShort() {
    assertThat(AtRest.lets(new IntervalBucket(60, SECOND, 60, 60))).isTrue();
    assertThat(AtRest.lets(new IntervalBucket(60, 2 * SECOND, 60, 60))).isTrue();
    assertThat(AtRest.lets(new IntervalBucket(60, 2 * SECOND + 1, 60, 60))).isFalse();
    assertThat(AtRest.lets(new IntervalBucket(60, SECOND - 1, 60, 60))).isFalse();
  }

  /** Few of a limit that turns quickly, up to half of one that is slow, and few of any bucket. */
  @ParameterizedTest
  @CsvSource({
    "60, 1, 4, 4, 4, 4",
    "60, 5, 4, 20, 4, 20",
    "60, 10, 4, 30, 4, 30",
    "160, 1, 10, 10, 10, 10",
    "640, 1, 40, 40, 16, 16",
    "640, 60, 40, 240, 16, 240",
    "3, 60, 4, 4, 4, 4"
  })
  void few_andMost(long permits, long seconds, long few, long most, long fewOfOther, long sliding) {
    Limit window = new FixedWindow(permits, seconds * SECOND);
    Limit bucket = new TokenBucket(permits, seconds * SECOND, permits);
    Limit slides = new SlidingWindow(permits, seconds * SECOND);

    assertThat(AtRest.few(window)).isEqualTo(few);
    assertThat(AtRest.most(window)).isEqualTo(most);
    assertThat(AtRest.few(bucket)).isEqualTo(fewOfOther);
    assertThat(AtRest.most(bucket)).isEqualTo(fewOfOther);
    assertThat(AtRest.few(slides)).isEqualTo(fewOfOther);
    assertThat(AtRest.most(slides)).isEqualTo(sliding);
  }

  @Test
  void whole_ofABucket_isWhatItHoldsOrBrings_ifThatIsLess() {
    assertThat(AtRest.whole(new TokenBucket(60, SECOND, 100))).isEqualTo(60);
    assertThat(AtRest.whole(new TokenBucket(600, 60 * SECOND, 100))).isEqualTo(100);
    assertThat(AtRest.whole(new SlidingWindow(60, SECOND))).isEqualTo(60);
  }
}
