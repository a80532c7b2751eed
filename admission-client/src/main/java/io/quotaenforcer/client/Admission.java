package io.quotaenforcer.client;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Decides requests by rules: for all instances of a service together ({@link AdmissionClient}), or
 * for one process alone ({@link StandaloneAdmission}, without Kafka). Code that takes an {@code
 * Admission} works with either.
 *
 * <p>Safe for use by any number of threads. No decision waits for anything unless the caller allows
 * it, and says for how long.
 */
public interface Admission extends AutoCloseable {

  /** Decides a request by every rule that matches it. Takes nothing when a rule has no room. */
  Decision decide(Request request);

  /**
   * Decides a request as {@link #decide(Request)} does, but says only whether it is admitted. The
   * cheapest way for a request that is built once and decided again and again, since it allocates
   * nothing.
   */
  boolean tryAcquire(Request request);

  /**
   * Decides a request; if its permits are on their way, the calling thread waits for them. For
   * servlets and virtual threads.
   *
   * @param maxWait after which it is decided by what is known then; zero or less does not wait
   * @throws InterruptedException if the thread was interrupted while it waited: nothing was taken.
   *     A request that need not wait is decided all the same
   */
  Decision decide(Request request, Duration maxWait) throws InterruptedException;

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

  /** As {@link #reserve(Request, long)}, with the cost of the request as the estimate. */
  default ReserveOutcome reserve(Request request) {
    return reserve(request, request.cost());
  }

  /**
   * A handle for one quota key, which skips matching.
   *
   * @param rule {@code domain/rule-id}
   * @param keyValues values of the rule's key attributes, in the rule's order
   * @throws IllegalArgumentException if no such rule is in force, or the values do not fit its key
   */
  QuotaHandle handle(String rule, String... keyValues);

  /** The rules in force. */
  RuleSet rules();

  /** Whether requests are decided by rules; if not yet, {@link Decision.NotReady} is the answer. */
  boolean isReady();

  /** Gives back the permits that are held. Requests are not to be decided any more. */
  @Override
  void close();
}
