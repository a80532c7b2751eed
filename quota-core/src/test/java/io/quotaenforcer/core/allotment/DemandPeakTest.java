package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DemandPeakTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 7 * SECOND;

  private final DemandPeak peak = new DemandPeak();

  @Test
  void perSecondAt_nothingSeen_isZero() {
    assertThat(peak.perSecondAt(START)).isZero();
  }

  @Test
  void perSecondAt_lessSeenSince_isWhatWasMore_asFarAsItHasNotFaded() {
    peak.saw(1_000, START);
    peak.saw(100, START + SECOND / 10);
    assertThat(peak.perSecondAt(START + SECOND)).isCloseTo(1_000 / Math.E, within(0.01));
    assertThat(peak.perSecondAt(START + 20 * SECOND)).isLessThan(0.001);
  }

  @Test
  void saw_moreThanIsLeft_isThePeakFromNowOn() {
    peak.saw(1_000, START);
    peak.saw(800, START + SECOND);
    assertThat(peak.perSecondAt(START + SECOND)).isEqualTo(800);
  }

  @Test
  void fellTo_forgetsWhatWasMore() {
    peak.saw(1_000, START);
    peak.fellTo(30, START);
    assertThat(peak.perSecondAt(START)).isEqualTo(30);
  }
}
