package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quotaenforcer.core.Seeded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemandMeterTest {
  private final Pauses pauses = new Pauses(20 * MILLI);
  private final DemandMeter meter = new DemandMeter(20 * MILLI, pauses, 0);
  private long now;
  private long measured;

  @Test
  void perSecond_nothingAsked_isZero() {
    meter.measure(0, 1, SECOND);
    assertThat(meter.perSecond()).isZero();
  }

  @Test
  void perSecond_steadyAsking_isTheRateAtAnyMeasuringTimes() {
    Seeded.check(
        50,
        random -> {
          DemandMeter any = new DemandMeter(20 * MILLI, pauses, 0);
          long now = 0;
          while (now < 5 * SECOND) {
            now += 1 + random.nextLong(80 * MILLI);
            any.measure(now / (10 * MILLI), 1, now);
          }
          assertThat(any.perSecond()).isCloseTo(100, within(25.0));
        });
  }

  @Test
  void perSecond_oneCostlyRequest_isNoRise() {
    DemandMeter cheap = new DemandMeter(20 * MILLI, pauses, 0);
    meter.measure(0, 20, SECOND);
    cheap.measure(0, 1, SECOND);
    meter.measure(20, 20, SECOND + 20 * MILLI);
    cheap.measure(1, 1, SECOND + 20 * MILLI);

    assertThat(meter.perSecond()).isCloseTo(20 * cheap.perSecond(), withinPercentage(1));
    assertThat(meter.perSecond()).isLessThan(200);
  }

  @Test
  void perSecond_askingStops_fadesToZeroWithinTwoSeconds() {
    for (long now = 0; now < SECOND; now += 20 * MILLI) {
      meter.measure(now / MILLI, 1, now);
    }
    assertThat(meter.perSecond()).isGreaterThan(900);
    for (long now = SECOND; now < 3 * SECOND; now += 20 * MILLI) {
      meter.measure(980, 1, now);
    }
    assertThat(meter.perSecond()).isZero();
  }

  /**
   * It stops within a measured time, after a quarter of it: 10 permits, after 40 each time. The
   * next one has none, which after a steady 10 would be chance.
   */
  @Test
  void leastPerSecond_ofADemandThatStopsWithinAMeasuredTime_isBelievedToBeGoneAtTheNext() {
    for (long now = 0; now <= SECOND; now += 20 * MILLI) {
      meter.measure(now / MILLI * 2, 1, now);
    }
    meter.measure(2_010, 1, SECOND + 20 * MILLI);
    assertThat(meter.leastPerSecond()).isEqualTo(500);

    meter.measure(2_010, 1, SECOND + 40 * MILLI);
    assertThat(meter.leastPerSecond()).isZero();
  }

  @Test
  void measure_sameTimeAgain_changesNothing() {
    meter.measure(5, 1, 20 * MILLI);
    double before = meter.perSecond();
    meter.measure(500, 1, 20 * MILLI);
    assertThat(meter.perSecond()).isEqualTo(before);
  }

  @Test
  void measure_fewerAskedThanBefore_isNoNegativeRate() {
    meter.measure(500, 1, 20 * MILLI);
    meter.measure(100, 1, 40 * MILLI);
    assertThat(meter.perSecond()).isPositive();
    assertThat(meter.leastPerSecond()).isNotNegative();
  }

  @Test
  void perSecond_riseThatIsMoreThanChance_isBelievedAtOnce() {
    steady(100, 20);
    meter.measure(measured + 60, 1, now + 20 * MILLI);
    assertThat(meter.perSecond()).isEqualTo(3_000);
  }

  @Test
  void perSecond_riseThatMayBeChance_isSmoothed() {
    steady(100, 20);
    meter.measure(measured + 35, 1, now + 20 * MILLI);
    assertThat(meter.perSecond()).isBetween(1_050.0, 1_200.0);
  }

  @Test
  void leastPerSecond_oneEmptyInterval_isBelievedOnlyThere() {
    steady(100, 20);
    meter.measure(measured, 1, now + 20 * MILLI);
    assertThat(meter.leastPerSecond()).isZero();
    assertThat(meter.perSecond()).isBetween(800.0, 900.0);
  }

  @Test
  void demand_thatWaitsWhileTheProcessIsPaused_isTheSame() {
    steady(100, 20);
    pauseUntil(now + 320 * MILLI);
    meter.measure(measured + 20, 1, now);
    assertThat(meter.leastPerSecond()).isCloseTo(1_000, within(0.01));
    measureNext(20 + 300);
    assertThat(meter.perSecond()).isCloseTo(1_000, within(0.01));
    assertThat(meter.leastPerSecond()).isCloseTo(1_000, within(0.01));
    measureNext(20);
    assertThat(meter.leastPerSecond()).isCloseTo(1_000, within(0.01));
  }

  @Test
  void demand_thatGoesOnWhileOnlyTheLookIsLate_isTheSame() {
    steady(100, 20);
    pauseUntil(now + 320 * MILLI);
    meter.measure(measured + 320, 1, now);
    measured += 320;
    measureNext(20);
    assertThat(meter.perSecond()).isCloseTo(1_000, within(0.01));
    assertThat(meter.leastPerSecond()).isCloseTo(1_000, within(0.01));
  }

  @Test
  void demand_thatEndsInAPause_hasEndedAfterIt() {
    steady(100, 20);
    pauseUntil(now + 320 * MILLI);
    meter.measure(measured, 1, now);
    measureNext(0);
    assertThat(meter.leastPerSecond()).isZero();
  }

  @Test
  void demand_thatFallsInAPause_hasFallenSoonAfterIt() {
    steady(100, 20);
    pauseUntil(now + 320 * MILLI);
    meter.measure(measured + 5, 1, now);
    measured += 5;
    for (int i = 0; i < 10; i++) {
      measureNext(5);
    }
    assertThat(meter.leastPerSecond()).isBetween(200.0, 450.0);
  }

  @Test
  void demand_thatRisesLongAfterAPause_isBelievedAtOnce() {
    steady(100, 20);
    pauseUntil(now + 320 * MILLI);
    meter.measure(measured + 20, 1, now);
    measured += 20;
    for (int i = 0; i < 20; i++) {
      measureNext(20);
    }
    measureNext(60);
    assertThat(meter.perSecond()).isCloseTo(3_000, within(0.01));
  }

  private void pauseUntil(long at) {
    pauses.look(now);
    pauses.look(at);
    now = at;
  }

  private void measureNext(long permits) {
    now += 20 * MILLI;
    pauses.look(now - 15 * MILLI);
    measured += permits;
    meter.measure(measured, 1, now);
  }

  /** Some intervals with the same number of permits in each. */
  private void steady(int intervals, int permits) {
    for (int i = 0; i < intervals; i++) {
      now += 20 * MILLI;
      measured += permits;
      meter.measure(measured, 1, now);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 60, 600, 100_000})
  void perSecond_clockThatIsScaled_isTheSameDemandScaled(long factor) {
    DemandMeter scaled = new DemandMeter(20 * MILLI * factor, pauses, 0);
    for (int i = 1; i <= 100; i++) {
      meter.measure(i / 10, 1, i * 20 * MILLI);
      scaled.measure(i / 10, 1, i * 20 * MILLI * factor);
    }
    assertThat(meter.perSecond()).isPositive();
    assertThat(scaled.perSecond() * factor).isCloseTo(meter.perSecond(), withinPercentage(0.01));
  }
}
