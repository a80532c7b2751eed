package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.key;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CreditMemoryTest {
  private final CreditMemory memory = new CreditMemory(2);

  @Test
  void creditFrom_neverForgotten_isAtOnce() {
    assertThat(memory.creditFrom(key("rule", "a"))).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void creditFrom_forgotten_isWhenItsWindowIsOver() {
    memory.forgotten(key("rule", "a"), 100, false);
    memory.forgotten(key("rule", "a"), 50, false);
    assertThat(memory.creditFrom(key("rule", "a"))).isEqualTo(100);
    memory.removeEnded(100);
    assertThat(memory.creditFrom(key("rule", "a"))).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void creditFrom_moreForgottenThanFit_holdsAllBackUntilTheyAreOver() {
    memory.forgotten(key("rule", "a"), 100, false);
    memory.forgotten(key("rule", "b"), 110, false);
    memory.forgotten(key("rule", "c"), 120, false);
    memory.removeEnded(115);
    assertThat(memory.creditFrom(key("rule", "c"))).isEqualTo(120);
    assertThat(memory.creditFrom(key("rule", "d"))).isEqualTo(120);
  }

  @Test
  void creditFrom_forgottenWithCredit_isAtOnce_andTheKeyWasUsed() {
    memory.forgotten(key("rule", "a"), 100, true);
    assertThat(memory.creditFrom(key("rule", "a"))).isEqualTo(Long.MIN_VALUE);
    assertThat(memory.usedUntil(key("rule", "a"))).isEqualTo(100);
  }

  @Test
  void creditFrom_forgottenOnceWithoutCredit_isWhenItsWindowIsOver() {
    memory.forgotten(key("rule", "a"), 50, false);
    memory.forgotten(key("rule", "a"), 100, true);
    assertThat(memory.creditFrom(key("rule", "a"))).isEqualTo(100);
  }

  @Test
  void memory_anyCourse_remembersAsAMapWould() {
    long seed = 7;
    Random random = new Random(seed);
    CreditMemory many = new CreditMemory(Integer.MAX_VALUE);
    Map<String, Long> map = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      String user = "user-" + random.nextInt(1 + random.nextInt(5_000));
      long until = 2 * random.nextInt(500);
      if (random.nextInt(500) == 0) {
        many.removeEnded(until);
        map.values().removeIf(known -> known <= until);
      } else {
        many.forgotten(key("rule", user), until, false);
        map.merge(user, until, Math::max);
      }
      assertThat(many.creditFrom(key("rule", user)))
          .as("seed %d, step %d", seed, step)
          .isEqualTo(map.getOrDefault(user, Long.MIN_VALUE));
    }
    map.forEach((user, until) -> assertThat(many.creditFrom(key("rule", user))).isEqualTo(until));
  }
}
