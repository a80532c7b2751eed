package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LookPauseTest {
  @Test
  void pauses_doubleFromATenthOfASecondToTwo_eachShortenedByUpToAHalf() {
    long[] longest = {100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000};
    for (int run = 0; run < 200; run++) {
      LookPause pause = new LookPause();
      for (long most : longest) {
        assertThat(pause.nextMillis()).isBetween(most / 2, most);
      }
    }
  }

  @Test
  void pauses_ofManyInstances_differ() {
    Set<Long> firsts =
        IntStream.range(0, 200)
            .mapToObj(instance -> new LookPause().nextMillis())
            .collect(Collectors.toSet());

    assertThat(firsts).hasSizeGreaterThan(10);
  }

  @Test
  void reset_beginsAgain() {
    LookPause pause = new LookPause();
    for (int i = 0; i < 10; i++) {
      pause.nextMillis();
    }

    pause.reset();

    assertThat(pause.nextMillis()).isBetween(50L, 100L);
  }
}
