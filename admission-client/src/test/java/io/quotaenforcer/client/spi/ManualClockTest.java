package io.quotaenforcer.client.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ManualClockTest {
  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(7));

  @Test
  void clocks_moveAsTheyAreTold() {
    Clocks clocks = clock.clocks();
    clock.advance(Duration.ofMillis(5));
    assertThat(clocks.epochNanos().getAsLong()).isEqualTo(7_005_000_000L);
    assertThat(clocks.monotonicNanos().getAsLong()).isEqualTo(7_005_000_000L);
  }

  @Test
  void advance_backwards_isRefused() {
    assertThatThrownBy(() -> clock.advance(Duration.ofMillis(-1)))
        .hasMessage("must be >= 0: time=PT-0.001S");
  }
}
