package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How much was taken in which slot: of ten nanoseconds, from 5 on; three that are over count. */
class SlotCountsTest {
  private final SlotCounts counts = SlotCounts.none(5, 10, 3, 100, 27);

  @Test
  void first_isTheSlotOfTheClockReading_withNothingTaken() {
    SlotCounts.At at = counts.at(100, 27);
    assertThat(at.startNanos()).isEqualTo(25);
    assertThat(at.current(100)).isZero();
    assertThat(at.current(104)).isEqualTo(4);
    assertThat(at.newest(3)).isZero();
    assertThat(SlotCounts.none(5, 10, 3, 0, 4).at(0, 4).startNanos()).isEqualTo(-5);
  }

  @Test
  void turn_atTheBorder_beginsAnotherSlot_andKeepsThoseBefore() {
    assertThat(counts.turn(101, 34).startNanos()).isEqualTo(25);
    SlotCounts.At second = counts.turn(101, 35);
    assertThat(second.startNanos()).isEqualTo(35);
    assertThat(second.closed(1)).isEqualTo(1);
    assertThat(second.current(103)).isEqualTo(2);

    SlotCounts.At fourth = counts.turn(103, 59);
    assertThat(fourth.startNanos()).isEqualTo(55);
    assertThat(fourth.closed()).containsExactly(0, 2, 1);
    assertThat(fourth.newest(2)).isEqualTo(2);
    assertThat(fourth.newest(3)).isEqualTo(3);
  }

  @Test
  void turn_afterMoreSlotsThanCount_forgetsAll() {
    assertThat(counts.turn(107, 64).closed()).containsExactly(0, 0, 7);
    SlotCounts other = SlotCounts.none(5, 10, 3, 100, 27);
    assertThat(other.turn(107, 65).closed()).containsExactly(0, 0, 0);
    assertThat(other.turn(107, 1_000_000_000_004L).startNanos()).isEqualTo(999_999_999_995L);
  }

  @Test
  void at_movesNothing() {
    assertThat(counts.at(104, 40).closed(1)).isEqualTo(4);
    assertThat(counts.at(104, 34).current(104)).isEqualTo(4);
    assertThat(counts.turn(106, 40).closed(1)).isEqualTo(6);
  }

  @Test
  void late_isByHowManySlotsAReadingIsOlder() {
    SlotCounts.At at = counts.at(100, 27);
    assertThat(counts.late(at, 1_000)).isZero();
    assertThat(counts.late(at, 25)).isZero();
    assertThat(counts.late(at, 24)).isEqualTo(1);
    assertThat(counts.late(at, 15)).isEqualTo(1);
    assertThat(counts.late(at, 14)).isEqualTo(2);
    assertThat(counts.late(at, -1_000_000_000_000L)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void putBack_ofTheCurrentSlot_isUncounted_butNotOfOneBefore() {
    counts.putBack(3, 25);
    assertThat(counts.at(110, 27).current(110)).isEqualTo(7);
    counts.putBack(5, 24);
    assertThat(counts.at(110, 27).current(110)).isEqualTo(7);
  }

  @Test
  void less_isOfTheCurrentSlot() {
    counts.turn(104, 35);
    SlotCounts.At less = counts.less(2).at(110, 36);
    assertThat(less.current(110)).isEqualTo(4);
    assertThat(less.closed(1)).isEqualTo(4);
  }

  @Test
  void putOff_movesTheSlot_withWhatIsInIt() {
    counts.turn(104, 35);
    SlotCounts later = counts.putOff(3);
    assertThat(later.at(110, 36).startNanos()).isEqualTo(38);
    assertThat(later.late(later.at(110, 36), 36)).isEqualTo(1);
    assertThat(later.at(110, 47).current(110)).isEqualTo(6);
    assertThat(later.at(110, 48).closed()).containsExactly(6, 4, 0);
    assertThat(counts.putOff(25).late(counts.putOff(25).at(110, 36), 36)).isEqualTo(3);
  }
}
