package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.key;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CreditMemoryTest {
  private final CreditMemory memory = new CreditMemory(2);

  @Test
  void creditFrom_neverForgotten_isAtOnce() {
    assertThat(memory.creditFrom(key("rule", "a"))).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void creditFrom_forgotten_isWhenItsWindowIsOver() {
    memory.forgotten(key("rule", "a"), 100);
    memory.forgotten(key("rule", "a"), 50);
    assertThat(memory.creditFrom(key("rule", "a"))).isEqualTo(100);
    memory.removeEnded(100);
    assertThat(memory.creditFrom(key("rule", "a"))).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void creditFrom_moreForgottenThanFit_holdsAllBackUntilTheyAreOver() {
    memory.forgotten(key("rule", "a"), 100);
    memory.forgotten(key("rule", "b"), 110);
    memory.forgotten(key("rule", "c"), 120);
    memory.removeEnded(115);
    assertThat(memory.creditFrom(key("rule", "c"))).isEqualTo(120);
    assertThat(memory.creditFrom(key("rule", "d"))).isEqualTo(120);
  }
}
