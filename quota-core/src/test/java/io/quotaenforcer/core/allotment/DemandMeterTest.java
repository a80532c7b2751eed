package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.Seeded;
import org.junit.jupiter.api.Test;

class DemandMeterTest {
  private final DemandMeter meter = new DemandMeter(20 * MILLI, 0);

  @Test
  void perSecond_nothingAsked_isZero() {
    meter.measure(0, SECOND);
    assertThat(meter.perSecond()).isZero();
  }

  @Test
  void perSecond_steadyAsking_isTheRateAtAnyMeasuringTimes() {
    Seeded.check(
        50,
        random -> {
          DemandMeter any = new DemandMeter(20 * MILLI, 0);
          long now = 0;
          while (now < 5 * SECOND) {
            now += 1 + random.nextLong(80 * MILLI);
            any.measure(now / (10 * MILLI), now);
          }
          assertThat(any.perSecond()).isCloseTo(100, within(25.0));
        });
  }

  @Test
  void perSecond_askingStops_fadesToZeroWithinTwoSeconds() {
    for (long now = 0; now < SECOND; now += 20 * MILLI) {
      meter.measure(now / MILLI, now);
    }
    assertThat(meter.perSecond()).isGreaterThan(900);
    for (long now = SECOND; now < 3 * SECOND; now += 20 * MILLI) {
      meter.measure(980, now);
    }
    assertThat(meter.perSecond()).isZero();
  }

  @Test
  void measure_sameTimeAgain_changesNothing() {
    meter.measure(5, 20 * MILLI);
    double before = meter.perSecond();
    meter.measure(500, 20 * MILLI);
    assertThat(meter.perSecond()).isEqualTo(before);
  }

  @Test
  void measure_fewerAskedThanBefore_isNoNegativeRate() {
    meter.measure(500, 20 * MILLI);
    meter.measure(100, 40 * MILLI);
    assertThat(meter.perSecond()).isPositive();
  }
}
