package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PermitCountTest {
  @ParameterizedTest
  @CsvSource({
    "5, -7, -2",
    "1152921504606846976, 1, 1152921504606846976",
    "9223372036854775807, 9223372036854775807, 1152921504606846976",
    "-9223372036854775808, -9223372036854775808, -1152921504606846976",
    "9223372036854775807, -1, 1152921504606846975"
  })
  void plus_whateverIsAdded_staysWithinTheBound(long count, long change, long sum) {
    assertThat(PermitCount.plus(count, change)).isEqualTo(sum);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "7, 7", "-1, 0", "9223372036854775807, 1000000000000000"})
  void reported_whateverWasCounted_isACount(long count, long reported) {
    assertThat(PermitCount.reported(count)).isEqualTo(reported);
    assertThat(PermitCount.isReportable(count)).isEqualTo(count == reported);
  }

  @Test
  void checkCost_outOfBounds_namesTheBound() {
    PermitCount.checkCost("cost", 1);
    PermitCount.checkCost("cost", PermitCount.MAX_COST);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PermitCount.checkCost("cost", 0))
        .withMessage("must be >= 1: cost=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PermitCount.checkCost("cost", 1_000_000_000_001L))
        .withMessage("must be <= 1000000000000: cost=1000000000001");
  }
}
