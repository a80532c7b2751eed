package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.spi.ReplayHandler;
import io.quotaenforcer.client.spi.ReplayOutcome;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class GuardedHandlerTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void outcome_ofTheHandler_isTaken() {
    assertThat(handle(replay -> ReplayOutcome.done(), 3)).isEqualTo(ReplayOutcome.done());
    assertThat(handle(replay -> ReplayOutcome.failed("no"), 1))
        .isEqualTo(ReplayOutcome.failed("no"));
    assertThat(handle(replay -> ReplayOutcome.retryLater(SECOND), 2))
        .isEqualTo(ReplayOutcome.retryLater(SECOND));
  }

  @Test
  void exception_isTriedAgainWithBackOff() {
    ReplayHandler fails =
        replay -> {
          throw new IOException("away");
        };

    assertThat(handle(fails, 1)).isEqualTo(ReplayOutcome.retryLater(Duration.ofMillis(75)));
    assertThat(handle(fails, 2)).isEqualTo(ReplayOutcome.retryLater(Duration.ofMillis(150)));
  }

  @Test
  void error_isTriedAgainAsWell() {
    ReplayHandler fails =
        replay -> {
          throw new StackOverflowError();
        };

    assertThat(handle(fails, 1)).isInstanceOf(ReplayOutcome.RetryLater.class);
  }

  @Test
  void lastAttempt_fails_withTheLastReason() {
    ReplayHandler fails =
        replay -> {
          throw new IOException("away");
        };

    assertThat(handle(fails, 3))
        .isEqualTo(ReplayOutcome.failed("given up after 3 attempts: java.io.IOException: away"));
    assertThat(handle(replay -> ReplayOutcome.retryLater(SECOND), 3))
        .isEqualTo(
            ReplayOutcome.failed(
                "given up after 3 attempts: the handler asked for another attempt"));
  }

  private static ReplayOutcome handle(ReplayHandler handler, int attempt) {
    return new GuardedHandler(handler, 3, () -> 0.5).handle(Replays.of("a", "1"), attempt);
  }
}
