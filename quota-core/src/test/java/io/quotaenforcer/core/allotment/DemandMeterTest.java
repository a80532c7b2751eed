package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemandMeterTest {
  private static final long INTERVAL = 20_000_000L;

  @ParameterizedTest
  @ValueSource(longs = {1, 60, 600, 100_000})
  void perSecond_clockThatIsScaled_isTheSameDemandScaled(long factor) {
    DemandMeter real = new DemandMeter(INTERVAL, 0);
    DemandMeter scaled = new DemandMeter(INTERVAL * factor, 0);

    for (int i = 1; i <= 100; i++) {
      real.measure(i / 10, i * INTERVAL);
      scaled.measure(i / 10, i * INTERVAL * factor);
    }

    assertThat(real.perSecond()).isPositive();
    assertThat(scaled.perSecond() * factor)
        .isCloseTo(real.perSecond(), Percentage.withPercentage(0.01));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 60, 600, 100_000})
  void perSecond_nothingAskedForLong_isZero(long factor) {
    DemandMeter meter = new DemandMeter(INTERVAL * factor, 0);
    meter.measure(100, INTERVAL * factor);

    meter.measure(100, 200 * INTERVAL * factor);

    assertThat(meter.perSecond()).isZero();
  }
}
