package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** How many slots of a concurrency limit an instance wants at a time. */
class SlotDemandTest {
  private static final long INTERVAL = 20 * MILLI;
  private static final long START = 7 * SECOND;

  /** In which what was wanted more fades to a third. */
  private static final long FADES = 6 * INTERVAL;

  private final SlotDemand demand = new SlotDemand(INTERVAL, START);

  @Test
  void wanted_isWhatRunsAndWasRefused_noMoreThanTheLimit() {
    demand.measure(3, 4, 100, START);
    assertThat(demand.slots()).isEqualTo(7);
    assertThat(demand.running()).isEqualTo(3);

    demand.measure(3, Long.MAX_VALUE, 10, START);
    assertThat(demand.slots()).isEqualTo(10);
  }

  @Test
  void wanted_less_isBelievedLittleByLittle_andMoreAtOnce() {
    demand.measure(100, 0, 1_000, START);
    demand.measure(20, 0, 1_000, START + FADES);
    assertThat(demand.slots()).isCloseTo(20 + 80 / Math.E, within(1e-6));

    demand.measure(90, 0, 1_000, START + FADES);
    assertThat(demand.slots()).isEqualTo(90);
    demand.measure(80, 0, 1_000, START + FADES - 1);
    assertThat(demand.slots()).as("a clock reading from before").isEqualTo(90);
  }

  @Test
  void wanted_nothingForLong_isNothing() {
    demand.measure(1, 0, 10, START);
    demand.measure(0, 0, 10, START + 3 * FADES);
    assertThat(demand.slots()).isPositive();
    demand.measure(0, 0, 10, START + 8 * FADES);
    assertThat(demand.slots()).isZero();
  }

  @Test
  void worthKeeping_isWhatMayStillCome_withAMargin_butNoneWhereOthersLackSlots() {
    demand.measure(16, 0, 100, START);
    demand.measure(10, 0, 100, START);

    assertThat(demand.worthKeeping(2, true)).as("6 fewer run than did").isEqualTo(2 + 6);
    assertThat(demand.worthKeeping(2, false)).isEqualTo(2 + 6 + 1 + 3 * 4);
  }
}
