package io.quotaenforcer.client;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Decides requests by rules: for all instances of a service together ({@link AdmissionClient}), or
 * for one process alone ({@link StandaloneAdmission}, without Kafka). Code that takes an {@code
 * Admission} works with either, and with a fake or a decorator of your own.
 *
 * <p>Safe for use by any number of threads. No decision waits for anything unless the caller allows
 * it, and says for how long.
 */
public interface Admission extends AutoCloseable {

  /**
   * Decides a request by every rule that matches it. Takes nothing when a rule has no room.
   *
   * <p>Nobody says when the request ends: of a concurrency limit it holds its slots no longer than
   * it is decided. So do {@link #tryAcquire} and {@link #decideAsync}. To hold them until it ends,
   * {@link #enter}, {@link #reserve} or {@link #run}.
   */
  Decision decide(Request request);

  /**
   * Decides a request as {@link #decide(Request)} does, but says only whether it is admitted. The
   * cheapest way for a request that is built once and decided again and again, since it allocates
   * nothing.
   */
  default boolean tryAcquire(Request request) {
    return decide(request).admitted();
  }

  /**
   * Decides a request; if its permits are on their way, the calling thread waits for them. For
   * servlets and virtual threads.
   *
   * @param maxWait after which it is decided by what is known then; zero or less does not wait
   * @throws InterruptedException if the thread was interrupted while it waited: nothing was taken.
   *     A request that need not wait is decided all the same
   */
  default Decision decide(Request request, Duration maxWait) throws InterruptedException {
    return Decided.await(decideAsync(request, maxWait));
  }

  /**
   * Decides a request once its permits have come, if they are on their way. No thread waits.
   *
   * <p>A future that is cancelled, or completed by its owner, takes no permits.
   *
   * @param maxWait after which it is decided by what is known then; zero or less does not wait
   */
  CompletableFuture<Decision> decideAsync(Request request, Duration maxWait);

  /**
   * Decides a request whose cost is known only once it has run, by an estimate of that cost.
   *
   * @param estimate permits that are taken until the actual cost is known, from 1 to
   *     10<sup>12</sup>
   * @throws IllegalArgumentException if it is less or more
   */
  ReserveOutcome reserve(Request request, long estimate);

  /** Like {@link #reserve(Request, long)}, with the cost of the request as the estimate. */
  default ReserveOutcome reserve(Request request) {
    return reserve(request, request.cost());
  }

  /**
   * Like {@link #reserve(Request, long)}, once the permits have come, if they are on their way. No
   * thread waits. A future that is cancelled, or completed by its owner, takes no permits.
   *
   * @param maxWait after which it is decided by what is known then; zero or less does not wait
   */
  CompletableFuture<ReserveOutcome> reserveAsync(Request request, long estimate, Duration maxWait);

  /** Like {@link #reserveAsync(Request, long, Duration)}, with the cost of the request. */
  default CompletableFuture<ReserveOutcome> reserveAsync(Request request, Duration maxWait) {
    return reserveAsync(request, request.cost(), maxWait);
  }

  /**
   * Lets a request in if every rule that matches it has room, each concurrency limit for as many
   * slots as it costs. They are held until the passage is released. Never waits; where others wait
   * here for the same slots, these come first.
   */
  default Passage enter(Request request) {
    return Passage.of(reserve(request));
  }

  /**
   * Like {@link #enter(Request)}; the calling thread waits for slots that others hold. For servlets
   * and virtual threads.
   *
   * @param maxWait after which it is decided by what is known then; zero or less does not wait
   * @throws InterruptedException if the thread was interrupted while it waited: nothing is held
   */
  default Passage enter(Request request, Duration maxWait) throws InterruptedException {
    return Passage.await(enterAsync(request, maxWait));
  }

  /**
   * Like {@link #enter(Request)}, once there are slots: requests that wait for the same ones in
   * this process get them in the order in which they came. No thread waits. A future that is
   * cancelled, or completed by its owner, holds nothing.
   *
   * @param maxWait after which it is decided by what is known then; zero or less does not wait
   */
  default CompletableFuture<Passage> enterAsync(Request request, Duration maxWait) {
    return Passage.of(reserveAsync(request, maxWait));
  }

  /**
   * Runs work if its request is admitted. If the work throws, the request is refunded: it did not
   * use what it paid for. Rules that count by outcome count it either way: none is told.
   *
   * @return the result of the work
   * @throws ThrottledException if the request is not admitted; the work did not run
   * @throws E what the work throws
   */
  default <T, E extends Exception> T run(Request request, Work<T, E> work) throws E {
    ReserveOutcome outcome = reserve(request);
    if (!(outcome instanceof Reservation reservation)) {
      throw new ThrottledException(outcome.decision());
    }
    // Closing it refunds what was not committed.
    try (reservation) {
      T result = work.run();
      reservation.commit(reservation.reserved());
      return result;
    }
  }

  /**
   * Runs work once its request is admitted, without a thread that waits. If the work fails, or
   * throws, the request is refunded.
   *
   * <p>The future fails with a {@link ThrottledException} if the request is not admitted within
   * {@code maxWait}. Cancelling it while the request waits takes no permits; work that has begun
   * goes on.
   *
   * @param maxWait zero or less does not wait
   */
  default <T> CompletableFuture<T> runAsync(
      Request request, Duration maxWait, Supplier<? extends CompletionStage<T>> work) {
    return AsyncRun.of(reserveAsync(request, maxWait), work);
  }

  /**
   * A handle for one quota key, which skips matching.
   *
   * @param rule {@code domain/rule-id}
   * @param keyValues values of the rule's key attributes, in the rule's order
   * @throws IllegalArgumentException if the rules are known and there is no such rule, or the
   *     values do not fit its key
   */
  QuotaHandle handle(String rule, String... keyValues);

  /** The rules in force. */
  RuleSet rules();

  /** Whether requests are decided by rules; if not yet, {@link Decision.NotReady} is the answer. */
  default boolean isReady() {
    return readiness().isReady();
  }

  /** Whether the rules to decide by are known, and if not, why. */
  Readiness readiness();

  /** Gives back the permits that are held. Requests are not to be decided any more. */
  @Override
  void close();
}
