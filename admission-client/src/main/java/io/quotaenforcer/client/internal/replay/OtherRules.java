package io.quotaenforcer.client.internal.replay;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.message.Replay;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The rules that match a replay and are not among those that it has paid. */
@FunctionalInterface
public interface OtherRules {

  /**
   * Takes the permits of all of them, or of none. No thread waits.
   *
   * @param maxWait for permits; after it, what is known then decides
   */
  CompletableFuture<Decision> decide(Replay replay, Duration maxWait);
}
