package io.quotaenforcer.core.algorithm;

import static io.quotaenforcer.core.algorithm.LimitKit.DAY;
import static io.quotaenforcer.core.algorithm.LimitKit.SECOND;
import static io.quotaenforcer.core.algorithm.LimitKit.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The largest buckets that can be counted, and those just beyond. */
class BucketBoundsTest {
  private static final Pattern MOST = Pattern.compile("must be <= (\\d+) for this rate: burst=.*");

  /** The largest burst by the message is accepted, and one more is not. */
  @ParameterizedTest
  @CsvSource({"7, 34560000000000000", "999999999999, 34473600000000000", "1, 34560000000000000"})
  void burst_asLargeAsTheMessageSays_isTaken_andOneMoreIsNot(long permits, long periodNanos) {
    checkLargest(burst -> new TokenBucket(permits, periodNanos, burst));
    checkLargest(burst -> LeakyBucket.of(permits, periodNanos, burst));
  }

  /** Of the whole a day's permits can be counted, of a twelfth a burst of 26,687 only. */
  @ParameterizedTest
  @CsvSource({
    "1000000, 86400000000000, 12",
    "10485760, 86400000000000, 100",
    "1073741824, 3600000000000, 100"
  })
  void share_ofABucketWhoseEvenPartCannotBeCounted_hasASmallerBurst(
      long permits, long periodNanos, int instances) {
    for (Limit whole :
        List.of(
            new TokenBucket(permits, periodNanos, permits),
            LeakyBucket.of(permits, periodNanos, permits - 1))) {
      Limit part = whole.share(instances);

      assertThat(part.permits()).isEqualTo(permits / instances);
      assertThat(part.capacity()).isBetween(1L, permits / instances - 1);
    }
  }

  @Test
  void countable_hasABurstForAnyNumberOfPermits() {
    Limit week = new TokenBucket(1_000_000, 7 * DAY, 1_000_000);

    for (long permits = 1; permits <= 1_000_000; permits += 997) {
      Limit part = week.countable(permits);
      assertThat(part.permits()).isEqualTo(permits);
      assertThat(part.capacity()).isBetween(1L, permits);
    }
    assertThat(week.countable(500_000)).isEqualTo(week.withPermits(500_000));
    assertThat(week.countable(500_300).capacity()).isEqualTo(381_257);
  }

  private static void checkLargest(LongFunction<Limit> bucket) {
    Throwable refused = catchThrowable(() -> bucket.apply(Limit.MAX_PERMITS));
    assertThat(refused).isInstanceOf(IllegalArgumentException.class);
    Matcher message = MOST.matcher(refused.getMessage());
    assertThat(message.matches()).as(refused.getMessage()).isTrue();
    long most = Long.parseLong(message.group(1));

    Limit largest = bucket.apply(most);
    LimitState used = largest.book(largest.initial(START), Long.MAX_VALUE, START);
    assertThat(largest.available(largest.initial(START), START)).isEqualTo(largest.capacity());
    assertThat(largest.available(used, START)).as("counts down to it").isNegative();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bucket.apply(most + 1))
        .withMessage("must be <= " + most + " for this rate: burst=" + (most + 1));
  }

  @Test
  void leakyBurst_outOfRange_namesTheBurstAsItWasGiven() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LeakyBucket.of(1, SECOND, Limit.MAX_PERMITS + 1))
        .withMessage("must be between 0 and 1000000000000: burst=1000000000001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LeakyBucket.of(1, SECOND, -1))
        .withMessage("must be between 0 and 1000000000000: burst=-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LeakyBucket.of(1, 1, 0))
        .withMessage("must be between 100 ms and 400 days: periodNanos=1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LeakyBucket.of(-1, SECOND, 0))
        .withMessage("must be between 0 and 1000000000000: permits=-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LeakyBucket(new TokenBucket(1, SECOND, 5, 4)))
        .withMessage("must begin empty, as a full bucket of tokens: initialPermits=4");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 0, must be >= 1 for a token bucket: permits=0",
    "1, 0, 0, must be between 1 and 1000000000000: burst=0",
    "1, 1000000000001, 0, must be between 1 and 1000000000000: burst=1000000000001",
    "1, 5, -1, 'must be between 0 and the burst, 5: initial=-1'",
    "1, 5, 6, 'must be between 0 and the burst, 5: initial=6'"
  })
  void bucket_termsOutOfRange_areRefusedByEachKind(
      long permits, long burst, long initial, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TokenBucket(permits, SECOND, burst, initial))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new IntervalBucket(permits, SECOND, burst, initial))
        .withMessage(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WarmUpBucket(permits, SECOND, burst, initial, SECOND))
        .withMessage(message);
  }

  @Test
  void intervalBucket_thatTakesACenturyToFill_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new IntervalBucket(1, 400 * DAY, 1_000, 1_000))
        .withMessage("must be refilled within a hundred years: burst=1000");
    assertThat(new IntervalBucket(1_000, 400 * DAY, 1_000, 1_000).capacity()).isEqualTo(1_000);
  }

  @Test
  void warmUpBucket_thatTakesHalfACenturyToFill_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WarmUpBucket(1, 400 * DAY, 1_000, 1_000, SECOND))
        .withMessage("must be refilled within fifty years: burst=1000");
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "86400000000001"})
  void warmUp_outOfRange_isRefused(long warmUpNanos) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WarmUpBucket(1, SECOND, 1, 1, warmUpNanos))
        .withMessage("must be above 0 and at most a day: warmUpNanos=" + warmUpNanos);
  }

  @Test
  void warmUp_ofADay_isTaken() {
    assertThat(new WarmUpBucket(1, SECOND, 1, 1, DAY).warmUpNanos()).isEqualTo(DAY);
  }

  @ParameterizedTest
  @CsvSource({"2, true", "100, true", "1, false", "101, false", "3, false"})
  void slots_fromTwoToAHundredThatDivideThePeriod_areTaken(int slots, boolean taken) {
    Throwable thrown = catchThrowable(() -> new SlidingSubWindows(1, SECOND, slots));
    assertThat(thrown == null).isEqualTo(taken);
  }

  @Test
  void slots_ofExactlyTenMilliseconds_areTaken_shorterOnesAreNot() {
    assertThat(new SlidingSubWindows(1, SECOND / 10, 10).borderNanos()).isEqualTo(10_000_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SlidingSubWindows(1, SECOND / 10, 20))
        .withMessage("must divide the period into equal parts of at least 10 ms: slots=20");
  }
}
