package io.quotaenforcer.client;

import io.quotaenforcer.core.Decision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waits for decisions. */
final class Decided {
  private Decided() {}

  /** The decision, when it is made. A thread that is interrupted before takes no permits. */
  static Decision await(CompletableFuture<Decision> future) throws InterruptedException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      if (future.cancel(false)) {
        throw e;
      }
      Thread.currentThread().interrupt();
      return future.join();
    } catch (ExecutionException e) {
      throw new IllegalStateException("must be decided", e);
    }
  }
}
