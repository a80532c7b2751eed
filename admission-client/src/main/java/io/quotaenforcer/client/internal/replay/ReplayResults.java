package io.quotaenforcer.client.internal.replay;

import io.quotaenforcer.core.message.DeferralInput.ReplayResult;
import java.util.concurrent.CompletableFuture;

/** Where it is written what became of replays. */
@FunctionalInterface
public interface ReplayResults {

  /** Writes a result without waiting. Done once it is durable; fails if it may not be. */
  CompletableFuture<Void> write(ReplayResult result);
}
