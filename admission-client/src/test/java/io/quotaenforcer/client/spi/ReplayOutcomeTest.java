package io.quotaenforcer.client.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReplayOutcomeTest {
  @Test
  void factories_makeTheOutcomeThatTheyName() {
    assertThat(ReplayOutcome.done()).isEqualTo(new ReplayOutcome.Done());
    assertThat(ReplayOutcome.done()).isSameAs(ReplayOutcome.done());
    assertThat(ReplayOutcome.failed("no such user"))
        .isEqualTo(new ReplayOutcome.Failed("no such user"));
    assertThat(ReplayOutcome.retryLater(Duration.ZERO))
        .isEqualTo(new ReplayOutcome.RetryLater(Duration.ZERO));
  }

  @Test
  void retryLater_inThePast_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplayOutcome.retryLater(Duration.ofMillis(-1)))
        .withMessage("must not be negative: after=PT-0.001S");
  }
}
