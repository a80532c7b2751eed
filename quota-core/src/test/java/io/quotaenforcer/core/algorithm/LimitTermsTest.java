package io.quotaenforcer.core.algorithm;

import static io.quotaenforcer.core.algorithm.LimitKit.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.LimitTerms.Refill;
import io.quotaenforcer.core.algorithm.Windows.Calendar;
import io.quotaenforcer.core.algorithm.Windows.CalendarUnit;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class LimitTermsTest {
  private static final Calendar DAYS = new Calendar(CalendarUnit.DAY, ZoneId.of("UTC"));

  private static LimitTerms of(Algorithm algorithm) {
    return LimitTerms.of(algorithm, 10, SECOND);
  }

  private static LimitTerms bucket() {
    return of(Algorithm.TOKEN_BUCKET).withBurst(20);
  }

  static List<Arguments> spelled() {
    return List.of(
        Arguments.of(of(Algorithm.FIXED_WINDOW), new FixedWindow(10, SECOND)),
        Arguments.of(LimitTerms.of(Algorithm.FIXED_WINDOW, 10, DAYS), new FixedWindow(10, DAYS)),
        Arguments.of(of(Algorithm.SLIDING_WINDOW), new SlidingWindow(10, SECOND)),
        Arguments.of(
            of(Algorithm.SLIDING_SUB_WINDOWS).withSlots(5), new SlidingSubWindows(10, SECOND, 5)),
        Arguments.of(of(Algorithm.SLIDING_LOG), new SlidingLog(10, SECOND, false)),
        Arguments.of(
            of(Algorithm.SLIDING_LOG).withCountThrottled(true), new SlidingLog(10, SECOND, true)),
        Arguments.of(bucket(), new TokenBucket(10, SECOND, 20)),
        Arguments.of(bucket().withInitial(3), new TokenBucket(10, SECOND, 20, 3)),
        Arguments.of(bucket().withRefill(Refill.INTERVAL), new IntervalBucket(10, SECOND, 20, 20)),
        Arguments.of(bucket().withWarmUp(SECOND), new WarmUpBucket(10, SECOND, 20, 20, SECOND)),
        Arguments.of(bucket().withInitial(0).withWarmUp(1), new WarmUpBucket(10, SECOND, 20, 0, 1)),
        Arguments.of(of(Algorithm.LEAKY_BUCKET).withBurst(4), LeakyBucket.of(10, SECOND, 4)),
        Arguments.of(of(Algorithm.LEAKY_BUCKET), LeakyBucket.of(10, SECOND, 0)));
  }

  @ParameterizedTest
  @MethodSource("spelled")
  void toLimit_termsOfAnAlgorithm_isThatLimit_andSpelledSoAgain(LimitTerms terms, Limit limit) {
    assertThat(terms.toLimit()).isEqualTo(limit);
    assertThat(limit.terms()).isEqualTo(terms);
  }

  @Test
  void toLimit_anyLimitThatWasSpelled_isTheSame() {
    Seeded.check(
        2_000,
        random -> {
          Limit limit = AnyLimit.of(random);
          assertThat(limit.terms().toLimit()).isEqualTo(limit);
        });
  }

  @Test
  void withBurst_tokenBucket_isFullAtFirst_aLeakyOneHasNoTokens() {
    assertThat(bucket().initial()).isEqualTo(20);
    assertThat(of(Algorithm.LEAKY_BUCKET).withBurst(20).initial()).isZero();
  }

  static List<Arguments> wrong() {
    return List.of(
        Arguments.of(
            of(Algorithm.FIXED_WINDOW).withBurst(5), "must not be given for FIXED_WINDOW: burst=5"),
        Arguments.of(
            of(Algorithm.FIXED_WINDOW).withInitial(5),
            "must not be given for FIXED_WINDOW: initial=5"),
        Arguments.of(
            of(Algorithm.FIXED_WINDOW).withSlots(2), "must not be given for FIXED_WINDOW: slots=2"),
        Arguments.of(
            of(Algorithm.SLIDING_WINDOW).withRefill(Refill.INTERVAL),
            "must not be given for SLIDING_WINDOW: refill=INTERVAL"),
        Arguments.of(
            of(Algorithm.SLIDING_WINDOW).withWarmUp(7),
            "must not be given for SLIDING_WINDOW: warmUpNanos=7"),
        Arguments.of(
            of(Algorithm.SLIDING_WINDOW).withCountThrottled(true),
            "must not be given for SLIDING_WINDOW: countThrottled=true"),
        Arguments.of(
            of(Algorithm.SLIDING_LOG).withSlots(5), "must not be given for SLIDING_LOG: slots=5"),
        Arguments.of(
            LimitTerms.of(Algorithm.SLIDING_LOG, 10, DAYS),
            "must not be given for SLIDING_LOG: windows=Calendar[unit=DAY, zone=UTC]"),
        Arguments.of(
            of(Algorithm.SLIDING_SUB_WINDOWS).withSlots(5).withCountThrottled(true),
            "must not be given for SLIDING_SUB_WINDOWS: countThrottled=true"),
        Arguments.of(bucket().withSlots(5), "must not be given for TOKEN_BUCKET: slots=5"),
        Arguments.of(
            bucket().withRefill(Refill.INTERVAL).withWarmUp(9),
            "must not be given for TOKEN_BUCKET: warmUpNanos=9"),
        Arguments.of(
            of(Algorithm.LEAKY_BUCKET).withInitial(1),
            "must not be given for LEAKY_BUCKET: initial=1"),
        Arguments.of(
            of(Algorithm.LEAKY_BUCKET).withWarmUp(1),
            "must not be given for LEAKY_BUCKET: warmUpNanos=1"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void toLimit_termThatTheAlgorithmDoesNotHave_isRefusedByName(LimitTerms terms, String message) {
    assertThatIllegalArgumentException().isThrownBy(terms::toLimit).withMessage(message);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void toLimit_permitsOrPeriodOutOfRange_isRefused(Algorithm algorithm) {
    for (LimitTerms terms :
        List.of(
            LimitTerms.of(algorithm, -1, SECOND),
            LimitTerms.of(algorithm, Limit.MAX_PERMITS + 1, SECOND),
            LimitTerms.of(algorithm, 1, Limit.MIN_PERIOD_NANOS - 1),
            LimitTerms.of(algorithm, 1, Limit.MAX_PERIOD_NANOS + 1))) {
      LimitTerms complete =
          algorithm == Algorithm.TOKEN_BUCKET
              ? terms.withBurst(1)
              : algorithm == Algorithm.SLIDING_SUB_WINDOWS ? terms.withSlots(2) : terms;
      assertThatIllegalArgumentException()
          .as("%s", complete)
          .isThrownBy(complete::toLimit)
          .withMessageStartingWith("must be between ");
    }
  }

  @Test
  void toLimit_bucketWithoutABurst_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(Algorithm.TOKEN_BUCKET).toLimit())
        .withMessage("must be between 1 and 1000000000000: burst=0");
  }
}
