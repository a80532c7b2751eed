package io.quotaenforcer.client;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Ending;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * Permits that were taken for a request whose actual cost is not known yet. Ends with the first
 * call of {@code commit}, {@link #cancel} or {@link #close}; later ones change nothing.
 *
 * <p>If the request costs less than was reserved, the rest goes back to where it came from, never
 * more than was taken: a permit of a window may be taken again until the window ends, and is void
 * after; of other kinds, as much is free again as has not renewed meanwhile. If it costs more, the
 * difference is <em>owed</em>: the next permits of the same quota keys at this instance pay it
 * before any request is admitted. Every rule that was charged is corrected alike.
 *
 * <p>A rule that counts by outcome keeps the permits of a request that turned out so, and refunds
 * any other: see {@link #commit(Map)}. Whose outcome is not told counts.
 *
 * <p>Of a concurrency limit, it holds slots for the estimate until it ends, and gives back all of
 * them then, whatever it cost.
 *
 * <p>A reservation that is never ended keeps what it took; nothing else is held for it, so there is
 * no timeout. Safe for use by any number of threads.
 */
public final class Reservation implements ReserveOutcome, AutoCloseable {
  private final Decision decision;
  private final long reserved;
  private final Predicate<Ending> settle;

  private Reservation(Decision decision, long reserved, Predicate<Ending> settle) {
    this.decision = decision;
    this.reserved = reserved;
    this.settle = settle;
  }

  /**
   * A reservation, for other implementations of {@link Admission} whose rules count every outcome.
   *
   * @param decision that admitted the request
   * @param reserved permits that each matching rule was charged
   * @param settle takes the actual cost, and says whether this was the first time; throws {@link
   *     IllegalArgumentException} for a cost that cannot be
   * @throws IllegalArgumentException if the decision does not admit
   */
  public static Reservation of(Decision decision, long reserved, LongPredicate settle) {
    if (!decision.admitted()) {
      throw new IllegalArgumentException("must be admitted: decision=" + decision);
    }
    return new Reservation(decision, reserved, ending -> settle.test(ending.actual()));
  }

  /** The outcome of a charge. */
  static ReserveOutcome of(Charge charge, Predicate<Ending> settle) {
    return charge.decision().admitted()
        ? new Reservation(charge.decision(), charge.charged(), settle)
        : new NotReserved(charge.decision());
  }

  @Override
  public Decision decision() {
    return decision;
  }

  /** Permits that each matching rule was charged; 0 when no rule matched. */
  public long reserved() {
    return reserved;
  }

  /**
   * Ends the reservation, without a word of how the request turned out: by a rule that counts by
   * outcome, it counts.
   *
   * @param actual the cost of the request in permits, from 0 to 10<sup>12</sup>; may be more than
   *     was reserved
   * @return false if it had ended before
   * @throws IllegalArgumentException if {@code actual} is less or more; the reservation stays open
   */
  public boolean commit(long actual) {
    return end(new Ending.Cost(actual));
  }

  /**
   * Ends the reservation of a request that cost what was reserved, and turned out so. An attribute
   * that a rule's condition is about and that is not told counts as met, unless the condition asks
   * whether it is there.
   *
   * @param outcome attributes such as {@code status=401}
   * @return false if it had ended before
   */
  public boolean commit(Map<String, String> outcome) {
    return commit(reserved, outcome);
  }

  /** Like {@link #commit(Map)}, of a request that cost {@code actual}, as {@link #commit(long)}. */
  public boolean commit(long actual, Map<String, String> outcome) {
    return end(new Ending.Told(actual, outcome));
  }

  /**
   * Ends the reservation of a request that did not run: every rule refunds it. Of one that ran, and
   * whose outcome is not known, use {@link #close}.
   *
   * @return false if it had ended before
   */
  public boolean cancel() {
    return commit(0);
  }

  /**
   * Refunds the request unless it was committed, as after an exception. By a rule that counts by
   * outcome it counts: how it turned out is not known.
   */
  @Override
  public void close() {
    end(new Ending.Abandoned());
  }

  private boolean end(Ending ending) {
    return settle.test(ending);
  }
}
