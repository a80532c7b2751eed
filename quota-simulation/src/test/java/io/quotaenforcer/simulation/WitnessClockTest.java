package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.simulation.ClockAudit.Shown;
import org.junit.jupiter.api.Test;

/** A witness goes no faster than true time while something counts, and otherwise by the ledger. */
class WitnessClockTest {
  private static final long BORDER = 250;

  private final WitnessClock witness = new WitnessClock();

  @Test
  void at_ledgerSetForwardWhileSomethingCounts_isHeldBackByWholeBorders() {
    assertThat(at(1_000, -100, false)).isEqualTo(900);
    assertThat(at(1_600, 0, false)).isEqualTo(1_600 - BORDER);
  }

  @Test
  void at_ledgerSetForwardSoSoonThatItCannotHaveStoodStill_isTrueTimeSinceThen() {
    assertThat(at(1_000, -100, false)).isEqualTo(900);
    assertThat(at(1_010, 0, false)).isEqualTo(910);
  }

  @Test
  void at_ledgerSetForwardWhileNothingCounts_hasItsBorders() {
    assertThat(at(1_000, -100, false)).isEqualTo(900);
    assertThat(at(1_600, 0, true)).isEqualTo(1_600);
    assertThat(at(1_700, 0, false)).isEqualTo(1_700);
  }

  /** A successor's clock is ahead until true time has caught up. */
  @Test
  void at_ledgerStandsStillWhileNothingCounts_standsStillWithIt() {
    assertThat(at(1_000, -100, false)).isEqualTo(900);
    assertThat(witness.at(new Shown(1_600, 1_720, true), BORDER, at -> true)).isEqualTo(1_720);
    assertThat(witness.at(new Shown(1_650, 1_720, true), BORDER, at -> false)).isEqualTo(1_720);
    assertThat(at(1_730, 0, false)).isEqualTo(1_730);
  }

  @Test
  void at_nothingCounts_isAskedOfTheTimeThatItWouldShow() {
    at(1_000, -100, false);
    witness.at(
        new Shown(1_600, 1_600, false),
        BORDER,
        at -> {
          assertThat(at).isEqualTo(1_500);
          return true;
        });
  }

  private long at(long trueNanos, long offset, boolean isAsNew) {
    return witness.at(new Shown(trueNanos, trueNanos + offset, false), BORDER, at -> isAsNew);
  }
}
