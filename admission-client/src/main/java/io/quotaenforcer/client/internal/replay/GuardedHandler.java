package io.quotaenforcer.client.internal.replay;

import io.quotaenforcer.client.spi.ReplayHandler;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.message.Replay;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A user's handler that always has an outcome: after an exception another attempt with back-off,
 * and after the last attempt a failure. Safe for use by any number of threads.
 */
final class GuardedHandler {
  private static final Logger log = LoggerFactory.getLogger(GuardedHandler.class);

  private final ReplayHandler handler;
  private final int maxAttempts;
  private final DoubleSupplier random;
  private volatile boolean failing;

  /**
   * @param random from 0 to 1
   */
  GuardedHandler(ReplayHandler handler, int maxAttempts, DoubleSupplier random) {
    this.handler = handler;
    this.maxAttempts = maxAttempts;
    this.random = random;
  }

  /**
   * Handles a replay.
   *
   * @param attempt counts from 1
   */
  ReplayOutcome handle(Replay replay, int attempt) {
    try {
      ReplayOutcome outcome = handler.handle(replay);
      if (outcome == null) {
        throw new IllegalStateException("the handler must return an outcome");
      }
      failing = false;
      return outcome instanceof ReplayOutcome.RetryLater
          ? orGivenUp(outcome, attempt, "the handler asked for another attempt")
          : outcome;
    } catch (Throwable e) {
      // Whatever it is, this replay is what is to be tried again, and other lanes must go on.
      tell(replay, attempt, e);
      long pause = Backoff.OF_FAILED_REPLAYS.nanos(attempt, random.getAsDouble());
      return orGivenUp(ReplayOutcome.retryLater(Duration.ofNanos(pause)), attempt, e.toString());
    }
  }

  private ReplayOutcome orGivenUp(ReplayOutcome again, int attempt, String reason) {
    return attempt < maxAttempts
        ? again
        : ReplayOutcome.failed("given up after " + attempt + " attempts: " + reason);
  }

  private void tell(Replay replay, int attempt, Throwable e) {
    if (failing) {
      log.debug("handler failed at replay {}, attempt {}", replay.id(), attempt, e);
    } else {
      failing = true;
      log.warn(
          "handler failed at replay {}, attempt {}; further failures are not logged until one"
              + " succeeds",
          replay.id(),
          attempt,
          e);
    }
  }
}
