package io.quotaenforcer.core.deferral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PriorityTurnTest {
  private static final LaneState WAITING = new LaneState(0, 1, 1, 0);
  private static final LaneState EMPTY = new LaneState(0, 0, 0, 0);

  private static List<LaneState> lanes(boolean high, boolean normal, boolean low) {
    return List.of(EMPTY, high ? WAITING : EMPTY, normal ? WAITING : EMPTY, low ? WAITING : EMPTY);
  }

  private static List<Lane> turns(PriorityTurn from, List<LaneState> lanes, int releases) {
    List<Lane> turns = new ArrayList<>();
    PriorityTurn turn = from;
    for (int i = 0; i < releases; i++) {
      PriorityTurn.Next next = turn.next(lanes);
      turns.add(next.lane());
      turn = next.after();
    }
    return turns;
  }

  private static Map<Lane, Integer> counts(List<Lane> turns) {
    Map<Lane, Integer> counts = new EnumMap<>(Lane.class);
    turns.forEach(lane -> counts.merge(lane, 1, Integer::sum));
    return counts;
  }

  /** Evenly mixed: never the lower ones in a block at the end. */
  @Test
  void tenTurns_allWait_areMixed() {
    assertThat(turns(PriorityTurn.FIRST, lanes(true, true, true), 10))
        .containsExactly(
            Lane.HIGH,
            Lane.NORMAL,
            Lane.HIGH,
            Lane.HIGH,
            Lane.NORMAL,
            Lane.HIGH,
            Lane.LOW,
            Lane.HIGH,
            Lane.NORMAL,
            Lane.HIGH);
  }

  @ParameterizedTest
  @CsvSource({
    "true, true, false, 9, 6, 3, 0",
    "true, false, true, 7, 6, 0, 1",
    "false, true, true, 4, 0, 3, 1",
    "true, false, false, 5, 5, 0, 0",
    "false, true, false, 5, 0, 5, 0",
    "false, false, true, 5, 0, 0, 5"
  })
  void turns_someLanesAreEmpty_othersHaveTheirsInTheSameProportion(
      boolean high, boolean normal, boolean low, int turns, int ofHigh, int ofNormal, int ofLow) {
    Map<Lane, Integer> counts =
        counts(turns(PriorityTurn.FIRST, lanes(high, normal, low), 10 * turns));

    assertThat(counts.getOrDefault(Lane.HIGH, 0)).isEqualTo(10 * ofHigh);
    assertThat(counts.getOrDefault(Lane.NORMAL, 0)).isEqualTo(10 * ofNormal);
    assertThat(counts.getOrDefault(Lane.LOW, 0)).isEqualTo(10 * ofLow);
  }

  @Test
  void next_nothingWaits_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PriorityTurn.FIRST.next(lanes(false, false, false)))
        .withMessageStartingWith("must have a request that waits: lanes=");
  }

  /**
   * A priority that goes on waiting is next within a bounded number of turns, whatever came and
   * went before.
   */
  @Test
  void next_lanesComeAndGo_whoWaitsOnIsNeverStarved() {
    Seeded.check(
        500,
        random -> {
          PriorityTurn turn = PriorityTurn.FIRST;
          int lowWaits = 0;
          int normalWaits = 0;
          for (int i = 0; i < 500; i++) {
            boolean high = random.nextInt(4) > 0;
            boolean normal = random.nextInt(4) > 0;
            PriorityTurn.Next next = turn.next(lanes(high, normal, true));
            assertThat(lanes(high, normal, true).get(next.lane().ordinal())).isEqualTo(WAITING);
            turn = next.after();
            lowWaits = next.lane() == Lane.LOW ? 0 : lowWaits + 1;
            normalWaits = next.lane() == Lane.NORMAL || !normal ? 0 : normalWaits + 1;
            assertThat(lowWaits).as("turns that low waited, at %d", i).isLessThan(16);
            assertThat(normalWaits).as("turns that normal waited, at %d", i).isLessThan(8);
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Priority.class)
  void lane_ofAPriority_hasItsName(Priority priority) {
    assertThat(Lane.of(priority).name()).isEqualTo(priority.name());
  }

  @Test
  void lanes_areTheExpeditedOneAndOneForEachPriority() {
    assertThat(Lane.values()).hasSize(1 + Priority.values().length);
    assertThat(Lane.EXPEDITED.ordinal()).isZero();
  }
}
