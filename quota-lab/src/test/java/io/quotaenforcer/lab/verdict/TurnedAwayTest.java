package io.quotaenforcer.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TurnedAwayTest {
  @Test
  void tally_countsThrottledRequestsThatAnExactCounterAdmits() {
    TurnedAway.Tally tally = new TurnedAway.Tally();

    tally.add(true, true);
    tally.add(true, true);
    tally.add(true, true);
    tally.add(true, false);
    tally.add(false, false);
    tally.add(false, true);

    assertThat(tally.total()).isEqualTo(new TurnedAway(4, 1));
    assertThat(tally.total().percent()).isEqualTo(25);
  }

  @Test
  void nothingAllowed_isNothingTurnedAway() {
    assertThat(TurnedAway.NONE.percent()).isZero();
  }

  @Test
  void parts_addUp() {
    assertThat(new TurnedAway(4, 1).plus(new TurnedAway(6, 0))).isEqualTo(new TurnedAway(10, 1));
  }

  @Test
  void moreTurnedAwayThanAllowed_isRefused() {
    assertThatThrownBy(() -> new TurnedAway(1, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("turnedAway=2");
  }
}
