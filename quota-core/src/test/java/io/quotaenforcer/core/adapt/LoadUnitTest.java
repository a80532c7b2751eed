package io.quotaenforcer.core.adapt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadUnitTest {

  /** A part in percent is not one; what is about the whole is the whole. */
  @ParameterizedTest
  @CsvSource({"0, 0", "0.85, 0.85", "1, 1", "1.02, 1", "1.5, 1", "1.51,", "85,", "-0.1,"})
  void measuredPart_isBelieved_asFarAsItCanBeOne(double measured, @Nullable Double believed) {
    assertThat(LoadUnit.PART.believed(measured))
        .isEqualTo(believed == null ? OptionalDouble.empty() : OptionalDouble.of(believed));
  }

  @Test
  void measuredNumber_isBelieved_howeverLarge_ifItIsOne() {
    assertThat(LoadUnit.NANOS.believed(1e12)).hasValue(1e12);
    assertThat(LoadUnit.COUNT.believed(85)).hasValue(85);
    assertThat(LoadUnit.PER_SECOND.believed(Double.POSITIVE_INFINITY)).isEmpty();
    assertThat(LoadUnit.COUNT.believed(Double.NaN)).isEmpty();
  }
}
