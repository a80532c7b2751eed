package io.quotaenforcer.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Priority;
import org.junit.jupiter.api.Test;

class DeferralTallyTest {
  private final DeferralTally tally = new DeferralTally();

  @Test
  void eachRequest_isReplayedExpiredOrLost() {
    for (int i = 0; i < 4; i++) {
      tally.accepted("m" + i, i);
    }
    tally.replayed("m0", "k", Priority.HIGH, 0);
    tally.replayed("m1", "k", Priority.HIGH, 1);
    tally.expired("m2");
    assertThat(tally.figures()).isEqualTo(new DeferralFigures(4, 2, 1, 1, 0, 0));

    tally.replayed("m3", "k", Priority.HIGH, 3);
    assertThat(tally.figures()).isEqualTo(new DeferralFigures(4, 3, 1, 0, 0, 0));
  }

  @Test
  void requestThatIsRunTwice_orBeforeAnEarlierOne_isFound() {
    tally.replayed("m2", "k", Priority.HIGH, 2);
    tally.replayed("m1", "k", Priority.HIGH, 1);
    tally.replayed("m1", "k", Priority.HIGH, 1);
    tally.replayed("m0", "k", Priority.LOW, 0);

    assertThat(tally.figures()).isEqualTo(new DeferralFigures(0, 3, 0, 0, 1, 1));
  }
}
