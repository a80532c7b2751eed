package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadroomTest {
  private static final long WINDOW = 7;

  @Test
  void raised_isUsableFromTheNextCommitOn() {
    Headroom raised = Headroom.none(WINDOW).raise(5, 3);

    assertThat(raised.windowStartNanos()).isEqualTo(WINDOW);
    assertThat(raised.total()).isEqualTo(5);
    assertThat(raised.usable(3)).isZero();
    assertThat(raised.usable(4)).isEqualTo(5);
  }

  @Test
  void raisedAgain_inTheSameTransaction_nothingIsUsableBeforeItIsCommitted() {
    Headroom raised = Headroom.none(WINDOW).raise(5, 3).raise(2, 3);

    assertThat(raised.usable(3)).isZero();
    assertThat(raised.usable(4)).isEqualTo(7);
  }

  @Test
  void raisedAgain_inALaterTransaction_whatWasCommittedStaysUsable() {
    Headroom raised = Headroom.none(WINDOW).raise(5, 3).raise(2, 4);

    assertThat(raised.usable(4)).isEqualTo(5);
    assertThat(raised.usable(5)).isEqualTo(7);
  }

  @Test
  void spent_comesFromWhatIsCommitted() {
    Headroom spent = Headroom.none(WINDOW).raise(5, 3).raise(2, 4).spend(4, 4);

    assertThat(spent.usable(4)).isEqualTo(1);
    assertThat(spent.total()).isEqualTo(3);
  }

  @Test
  void lowered_whatIsNotCommittedIsKept() {
    Headroom lowered = Headroom.none(WINDOW).raise(5, 3).raise(2, 4).lower(3, 4);

    assertThat(lowered.total()).isEqualTo(3);
    assertThat(lowered.pending()).isEqualTo(2);
    assertThat(lowered.usable(4)).isEqualTo(1);
  }

  @Test
  void lowered_toMoreThanThereIs_changesNothing() {
    Headroom raised = Headroom.none(WINDOW).raise(5, 3);

    assertThat(raised.lower(9, 3)).isEqualTo(raised);
  }

  /** The headroom that a successor finds covers all that was granted since the last commit. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anySteps_grantsSinceACommitNeverExceedWhatItHolds(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Headroom headroom = Headroom.none(WINDOW);
    long commit = 0;
    long committed = 0;
    long granted = 0;
    for (int i = 0; i < 1_000; i++) {
      switch (random.nextInt(4)) {
        case 0 -> headroom = headroom.raise(random.nextLong(10), commit);
        case 1 -> headroom = headroom.lower(random.nextLong(20), commit);
        case 2 -> {
          long permits = random.nextLong(headroom.usable(commit) + 1);
          headroom = headroom.spend(permits, commit);
          granted += permits;
        }
        default -> {
          committed = headroom.total();
          granted = 0;
          commit++;
        }
      }
      assertThat(granted).as("seed %d, step %d", seed, i).isLessThanOrEqualTo(committed);
      assertThat(headroom.usable(commit)).isBetween(0L, headroom.total());
    }
  }
}
