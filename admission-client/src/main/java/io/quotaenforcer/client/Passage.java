package io.quotaenforcer.client;

import io.quotaenforcer.core.Decision;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A request that runs: it holds the slots of every concurrency limit that matches it until it is
 * {@linkplain #release released}. What it paid to other rules stays paid.
 *
 * <p>A request that was refused has a passage, too: it is not {@linkplain #entered entered}, holds
 * nothing, and releasing it does nothing. So one statement serves both:
 *
 * <pre>{@code
 * try (Passage passage = admission.enter(request)) {
 *   if (passage.entered()) {
 *     run();
 *   }
 * }
 * }</pre>
 *
 * <p>A passage that is never released holds its slots as long as its process lives. May be released
 * by any thread.
 */
public final class Passage implements AutoCloseable {
  private final Decision decision;
  private final @Nullable Reservation reservation;

  private Passage(Decision decision, @Nullable Reservation reservation) {
    this.decision = decision;
    this.reservation = reservation;
  }

  /** The passage of a request for which permits were reserved, or not. */
  public static Passage of(ReserveOutcome outcome) {
    return new Passage(
        outcome.decision(), outcome instanceof Reservation reservation ? reservation : null);
  }

  /** The answer to the request: how the rule stands that refused it, or those that admitted it. */
  public Decision decision() {
    return decision;
  }

  /** Whether the request may run. */
  public boolean entered() {
    return reservation != null;
  }

  /**
   * Gives back the slots: the request has ended.
   *
   * @return false if nothing was held, or no more
   */
  public boolean release() {
    return reservation != null && reservation.commit(reservation.reserved());
  }

  /** Releases it, if that was not done before. */
  @Override
  public void close() {
    release();
  }

  /** It did not run: what it paid to other rules goes back, too. */
  private void cancel() {
    if (reservation != null) {
      reservation.cancel();
    }
  }

  /** The passage once it is known. One that is cancelled before holds nothing. */
  static CompletableFuture<Passage> of(CompletableFuture<ReserveOutcome> asked) {
    CompletableFuture<Passage> entering = new CompletableFuture<>();
    entering.whenComplete((passage, failure) -> asked.cancel(false));
    asked.whenComplete((outcome, failure) -> known(entering, outcome, failure));
    return entering;
  }

  private static void known(
      CompletableFuture<Passage> entering, ReserveOutcome outcome, Throwable failure) {
    if (failure != null) {
      entering.completeExceptionally(
          failure instanceof CancellationException ? new CancellationException() : failure);
      return;
    }
    Passage passage = of(outcome);
    if (!entering.complete(passage)) {
      passage.cancel();
    }
  }

  /** Waits for it. A thread that is interrupted before holds nothing. */
  static Passage await(CompletableFuture<Passage> entering) throws InterruptedException {
    try {
      return entering.get();
    } catch (InterruptedException e) {
      if (entering.cancel(false)) {
        throw e;
      }
      Thread.currentThread().interrupt();
      return entering.join();
    } catch (ExecutionException e) {
      throw new IllegalStateException("must be decided", e);
    }
  }
}
