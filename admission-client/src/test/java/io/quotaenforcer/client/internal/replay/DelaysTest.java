package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DelaysTest {
  private final Delays<String> delays = new Delays<>();

  @Test
  void items_comeWhenTheyAreDue_theEarliestFirst() {
    delays.add("late", 20);
    delays.add("early", 10);

    assertThat(delays.takeDue(9)).isEmpty();
    assertThat(delays.takeDue(20)).containsExactly("early", "late");
    assertThat(delays.takeDue(20)).isEmpty();
  }

  @Test
  void items_aroundTheClocksOverflow_comeInOrder() {
    long now = Long.MAX_VALUE - 5;
    delays.add("late", now + 10);
    delays.add("early", now + 1);

    assertThat(delays.takeDue(now + 1)).containsExactly("early");
    assertThat(delays.takeDue(now + 10)).containsExactly("late");
  }

  @Test
  void items_dropped_neverCome() {
    delays.add("a", 1);
    delays.add("b", 1);

    delays.drop("a"::equals);

    assertThat(delays.takeDue(1)).containsExactly("b");
  }
}
