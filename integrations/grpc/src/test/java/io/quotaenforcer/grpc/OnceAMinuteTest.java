package io.quotaenforcer.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.spi.ManualClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

class OnceAMinuteTest {
  @RegisterExtension final CapturedLog log = new CapturedLog(OnceAMinuteTest.class);

  @Test
  void failures_areLoggedOnceAMinuteWithTheNumberOfOthers() {
    ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    OnceAMinute failures =
        new OnceAMinute(
            LoggerFactory.getLogger(OnceAMinuteTest.class), clock.clocks().monotonicNanos());

    for (int i = 0; i < 100; i++) {
      failures.warn("it failed", new IllegalStateException("broken"));
    }
    clock.advance(Duration.ofSeconds(60));
    failures.warn("it failed", new IllegalStateException("broken"));

    assertThat(log.said())
        .containsExactly(
            "WARN it failed (0 more like this before)",
            "WARN it failed (99 more like this before)");
  }
}
