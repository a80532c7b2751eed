package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PausesTest {
  private final Pauses pauses = new Pauses(20 * MILLI);
  private long now = SECOND;

  private void looks(long... gapsMillis) {
    pauses.look(now);
    for (long gap : gapsMillis) {
      now += gap * MILLI;
      pauses.look(now);
    }
  }

  @Test
  void lookThatIsLate_isAPause() {
    looks(5, 5, 40, 5);
    assertThat(pauses.lostNanos()).isZero();
    looks(41, 5, 300, 5);
    assertThat(pauses.lostNanos()).isEqualTo(341 * MILLI);
  }

  @Test
  void looksThatAreAllFarApart_areNoPauses() {
    looks(500);
    long first = pauses.lostNanos();
    looks(500, 700, 400, 800);
    assertThat(pauses.lostNanos()).isEqualTo(first);
  }

  @Test
  void lookAtTheSameTime_saysNothing() {
    looks(500);
    long first = pauses.lostNanos();
    looks(0, 500, 0, 500);
    assertThat(pauses.lostNanos()).isEqualTo(first);
  }

  @Test
  void longStandstill_isAPauseOfASecond() {
    looks(5, 3_600_000);
    assertThat(pauses.lostNanos()).isEqualTo(SECOND);
  }
}
