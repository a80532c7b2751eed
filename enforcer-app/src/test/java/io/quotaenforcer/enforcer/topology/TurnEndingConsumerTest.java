package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TurnEndingConsumerTest {
  private static final Duration FIVE = Duration.ofMillis(5);

  @Test
  void waitFor_threadAtWork_asLongAsKafkaStreamsAsks() {
    assertThat(TurnEndingConsumer.waitFor(FIVE, false)).isEqualTo(FIVE);
  }

  @Test
  void waitFor_idleThread_longer() {
    assertThat(TurnEndingConsumer.waitFor(FIVE, true)).isEqualTo(Duration.ofMillis(20));
    assertThat(TurnEndingConsumer.waitFor(Duration.ofMillis(100), true))
        .isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void waitFor_whileOtherThreadsRestore_aMoment() {
    assertThat(TurnEndingConsumer.waitFor(Duration.ZERO, false)).isEqualTo(Duration.ofMillis(1));
    assertThat(TurnEndingConsumer.waitFor(Duration.ZERO, true)).isEqualTo(Duration.ofMillis(1));
  }
}
