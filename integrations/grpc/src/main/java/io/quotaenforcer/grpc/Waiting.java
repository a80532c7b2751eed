package io.quotaenforcer.grpc;

import io.quotaenforcer.core.Decision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A call that waits for its decision. */
final class Waiting {
  private final CompletableFuture<Decision> future;
  private final BiFunction<@Nullable Decision, @Nullable Throwable, Answer> answers;
  private final Executor executor;
  private volatile boolean givenUp;

  Waiting(
      CompletableFuture<Decision> future,
      BiFunction<@Nullable Decision, @Nullable Throwable, Answer> answers,
      Executor executor) {
    this.future = future;
    this.answers = answers;
    this.executor = executor;
  }

  /**
   * Hands over the answer once it is there.
   *
   * @param call goes on with the answer
   * @param whenGivenUp run instead, if the call has given up before
   */
  void then(Consumer<Answer> call, Runnable whenGivenUp) {
    var unused =
        future.whenComplete(
            (decision, failure) -> {
              if (givenUp && future.isCancelled()) {
                whenGivenUp.run();
              } else {
                run(executor, () -> call.accept(answers.apply(decision, failure)));
              }
            });
  }

  /**
   * Takes no permits any more.
   *
   * @return false if the decision was made before, and is or will be handed over
   */
  boolean giveUp() {
    givenUp = true;
    return future.cancel(false);
  }

  /** Runs work elsewhere; here, if nobody else takes it: a call must not be forgotten. */
  static void run(Executor executor, Runnable work) {
    try {
      executor.execute(work);
    } catch (RejectedExecutionException e) {
      work.run();
    }
  }
}
