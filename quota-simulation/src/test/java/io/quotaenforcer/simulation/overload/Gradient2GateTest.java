package io.quotaenforcer.simulation.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class Gradient2GateTest {
  private final Gradient2Gate gate = new Gradient2Gate(1);

  /** Seconds in which twenty requests take that long. */
  private void seconds(int seconds, long tookMillis, int inFlight) {
    for (int i = 0; i < seconds; i++) {
      for (int j = 0; j < 20; j++) {
        gate.ended(0, tookMillis * 1_000_000, inFlight);
      }
      gate.heard(List.of(), 0);
    }
  }

  private int limit() {
    int limit = 0;
    while (gate.admits(0, limit, 0)) {
      limit++;
    }
    return limit;
  }

  @Test
  void limit_whileLatencyStays_growsByAFifthOfFour_aSecond() {
    assertThat(limit()).isEqualTo(20);
    seconds(10, 40, 20);
    assertThat(limit()).isEqualTo(28);
  }

  @Test
  void limit_whileFewAreInFlight_stays() {
    seconds(10, 40, 5);
    assertThat(limit()).isEqualTo(20);
  }

  @Test
  void limit_whenLatencyGrows_falls_butNotBelowTwenty() {
    seconds(50, 40, 60);
    assertThat(limit()).isEqualTo(60);
    seconds(3, 400, 60);
    assertThat(limit()).isBetween(40, 48);
    seconds(50, 400, 60);
    assertThat(limit()).isEqualTo(20);
  }

  @Test
  void window_ofFewRequests_changesNothing() {
    gate.ended(0, 40_000_000, 20);
    gate.heard(List.of(), 0);
    assertThat(limit()).isEqualTo(20);
  }
}
