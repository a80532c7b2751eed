package io.quotaenforcer.client;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.HeldSlots;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One quota key of one rule: the cheapest way to decide where the key is known ahead of the
 * request. Other rules are not asked. Safe for use by any number of threads.
 *
 * <p>A handle follows its rule. As long as no rules are known, it answers as {@code before.rules}
 * says. When its rule changes, the next call goes by the new one; once the rule is gone, requests
 * are unmatched, until a rule with this id is back. If the rule's key now has more or fewer
 * attributes, so that the values do not fit, the handle answers as {@code before.rules} says again,
 * and telemetry hears of it: make a new one.
 */
public interface QuotaHandle {

  /**
   * Takes permits if there is room for all of them now. Never waits.
   *
   * @param permits from 1 to 10<sup>12</sup>
   * @return whether a request of this cost is admitted; if not, nothing was taken
   * @throws IllegalArgumentException if {@code permits} is less or more
   */
  boolean tryAcquire(long permits);

  /** Takes one permit if there is room for it now. Never waits. */
  default boolean tryAcquire() {
    return tryAcquire(1);
  }

  /**
   * Like {@link #tryAcquire(long)}, with how the rule stands: why there was no room, and when to
   * try again.
   */
  Decision decide(long permits);

  /** Decides a request of cost 1. */
  default Decision decide() {
    return decide(1);
  }

  /**
   * Like {@link #decide(long)}, but waits for permits that are on their way, or held by others that
   * may give them back, as {@link Admission#decideAsync} does; no thread waits. Strict rules want
   * it: a key's first permits come one loop later. A handle that cannot wait, as any that you write
   * yourself unless it overrides this, decides at once.
   *
   * @param maxWait after which it is decided by what is known then; none or negative does not wait
   * @return not yet complete while it waits; to cancel it, or to complete it otherwise, takes
   *     nothing
   */
  default CompletableFuture<Decision> decideAsync(long permits, Duration maxWait) {
    return CompletableFuture.completedFuture(decide(permits));
  }

  /**
   * Like {@link #decideAsync}, of a request whose cost is known later, or that may fail. A handle
   * that you write yourself need not know how: then it throws.
   *
   * @throws UnsupportedOperationException if this handle cannot
   */
  default CompletableFuture<ReserveOutcome> reserveAsync(long permits, Duration maxWait) {
    throw new UnsupportedOperationException("reserveAsync");
  }

  /**
   * Like {@link Admission#enterAsync}, of this key alone.
   *
   * @param maxWait zero or less does not wait
   * @throws UnsupportedOperationException if this handle cannot
   */
  default CompletableFuture<Passage> enterAsync(long slots, Duration maxWait) {
    return Passage.of(reserveAsync(slots, maxWait));
  }

  /**
   * Takes slots of a concurrency limit if there is room for all of them now, without making a
   * {@link Passage}: nothing is allocated, and nothing keeps the caller from giving back more than
   * it took. Of any other limit, takes permits. Never waits.
   *
   * @return to be given to {@link #leave} once, with the same number; null if there is no room
   * @throws UnsupportedOperationException if this handle cannot
   */
  default @Nullable HeldSlots tryEnter(long slots) {
    throw new UnsupportedOperationException("tryEnter");
  }

  /**
   * Gives back what {@link #tryEnter} took. Any thread.
   *
   * @throws UnsupportedOperationException if this handle cannot
   */
  default void leave(HeldSlots held, long slots) {
    throw new UnsupportedOperationException("leave");
  }

  /**
   * Charges what has run already: permits for which there is no room are owed, as those of a {@link
   * Reservation} that cost more than was reserved. A rule that does not count the key, or is not
   * known, charges nothing.
   *
   * @param permits from 1 to 10<sup>12</sup>
   * @throws UnsupportedOperationException if this handle cannot
   */
  default void charge(long permits) {
    throw new UnsupportedOperationException("charge");
  }

  /**
   * The same for requests of one of the rule's classes; without it, they are of the one that is
   * served last. Where the rule has no such class any more, it is that one, too.
   *
   * @throws IllegalArgumentException if the rule is known, and has no class of this name
   * @throws UnsupportedOperationException if this handle cannot
   */
  default QuotaHandle ofClass(String demandClass) {
    throw new UnsupportedOperationException("ofClass");
  }

  /** The rule that decides. */
  RuleId rule();

  /**
   * The quota key whose permits it takes now; empty while no rule in force counts requests of it.
   */
  Optional<QuotaKey> quotaKey();
}
