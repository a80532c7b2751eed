package io.quotaenforcer.enforcer.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TimeSampleTest {
  private static final long MILLI = 1_000_000L;
  private static final long OFFSET = 1_700_000_000_000L * MILLI;

  /** Asked at 100 ms and answered at 130 ms of the monotonic clock. */
  private static TimeSample at(long brokerMillis) {
    return new TimeSample(100 * MILLI, 130 * MILLI, 1_700_000_000_000L + brokerMillis);
  }

  @Test
  void difference_aBrokerMayHaveAnsweredAtAnyMomentInBetween() {
    assertThat(at(100).differenceOf(OFFSET)).isZero();
    assertThat(at(115).differenceOf(OFFSET)).isZero();
    assertThat(at(130).differenceOf(OFFSET)).isZero();
    assertThat(at(99).differenceOf(OFFSET)).isZero();
  }

  @Test
  void difference_isWhatIsCertain() {
    assertThat(at(40).differenceOf(OFFSET)).isEqualTo(59 * MILLI);
    assertThat(at(190).differenceOf(OFFSET)).isEqualTo(-60 * MILLI);
  }

  @Test
  void difference_oneOfThreeBrokersIsWrong_isThatOfTheOthers() {
    assertThat(TimeSample.difference(List.of(at(110), at(-3_600_000), at(120)), OFFSET)).isZero();
    assertThat(TimeSample.difference(List.of(at(190), at(191), at(9_000_000)), OFFSET))
        .isEqualTo(-61 * MILLI);
  }

  @Test
  void difference_ofTwoBrokers_isTheSmaller() {
    assertThat(TimeSample.difference(List.of(at(110), at(-3_600_000)), OFFSET)).isZero();
    assertThat(TimeSample.difference(List.of(at(3_600_000), at(190)), OFFSET))
        .isEqualTo(-60 * MILLI);
  }
}
