package io.quotaenforcer.enforcer;

import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.Health;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a step of the start while the schema registry is unavailable, and shows that in the
 * health.
 */
final class RegistryWait {
  private static final Logger log = LoggerFactory.getLogger(RegistryWait.class);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Pause pause;
  private volatile String reason = "topics not looked at yet";
  private boolean said;

  /** Waits for a while; throws if the program is to end. */
  @FunctionalInterface
  interface Pause {
    void take(Duration length) throws InterruptedException;
  }

  RegistryWait(Pause pause) {
    this.pause = pause;
  }

  /** Repeats the step until it no longer fails because the registry is unavailable. */
  <T> T until(Supplier<T> step) throws InterruptedException {
    while (true) {
      try {
        return step.get();
      } catch (RuntimeException e) {
        if (!Wire.isReadableLater(e)) {
          throw e;
        }
        reason = "waiting for the schema registry: " + e.getMessage();
        if (!said) {
          said = true;
          log.warn("the enforcer starts once the schema registry answers: {}", e.getMessage());
        }
      }
      pause.take(PAUSE);
    }
  }

  /** State of the start. */
  Health health() {
    return new Health.Starting(reason);
  }
}
