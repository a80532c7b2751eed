package io.quotaenforcer.client;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** One request that is decided, runs and is refunded if it fails, without a thread that waits. */
final class AsyncRun<T> {
  private final CompletableFuture<ReserveOutcome> asked;
  private final CompletableFuture<T> result = new CompletableFuture<>();

  private AsyncRun(CompletableFuture<ReserveOutcome> asked) {
    this.asked = asked;
  }

  /**
   * @param asked for the permits; cancelled if nobody wants the result any more
   */
  static <T> CompletableFuture<T> of(
      CompletableFuture<ReserveOutcome> asked, Supplier<? extends CompletionStage<T>> work) {
    AsyncRun<T> run = new AsyncRun<>(asked);
    run.result.whenComplete((value, failure) -> run.asked.cancel(false));
    asked.whenComplete((outcome, failure) -> run.decided(outcome, failure, work));
    return run.result;
  }

  private void decided(
      ReserveOutcome outcome, Throwable failure, Supplier<? extends CompletionStage<T>> work) {
    if (failure != null) {
      result.completeExceptionally(
          failure instanceof CancellationException ? new CancellationException() : failure);
    } else if (!(outcome instanceof Reservation reservation)) {
      result.completeExceptionally(new ThrottledException(outcome.decision()));
    } else if (result.isDone()) {
      reservation.cancel();
    } else {
      run(reservation, work);
    }
  }

  private void run(Reservation reservation, Supplier<? extends CompletionStage<T>> work) {
    CompletionStage<T> running;
    try {
      running = work.get();
    } catch (Throwable e) {
      reservation.close();
      result.completeExceptionally(e);
      return;
    }
    running.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            reservation.commit(reservation.reserved());
            result.complete(value);
          } else {
            reservation.close();
            result.completeExceptionally(failure);
          }
        });
  }
}
