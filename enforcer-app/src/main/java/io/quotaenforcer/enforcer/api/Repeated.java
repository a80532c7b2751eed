package io.quotaenforcer.enforcer.api;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A question that is asked again until its answer shows a change, for three seconds at most. The
 * change is made already: a question that fails is one without an answer.
 */
final class Repeated {
  private static final int MOST = 30;
  private static final long PAUSE_MILLIS = 100;

  private Repeated() {}

  /** The first answer that is one; empty if none came in time. */
  static <T> CompletableFuture<Optional<T>> ask(
      Supplier<CompletableFuture<Optional<T>>> question, Executor blocking) {
    return ask(question, blocking, MOST);
  }

  private static <T> CompletableFuture<Optional<T>> ask(
      Supplier<CompletableFuture<Optional<T>>> question, Executor blocking, int left) {
    return question
        .get()
        .exceptionally(failure -> Optional.empty())
        .thenCompose(
            answer ->
                answer.isPresent() || left <= 1
                    ? CompletableFuture.completedFuture(answer)
                    : CompletableFuture.supplyAsync(
                            () -> left - 1,
                            CompletableFuture.delayedExecutor(
                                PAUSE_MILLIS, TimeUnit.MILLISECONDS, blocking))
                        .thenCompose(fewer -> ask(question, blocking, fewer)));
  }
}
