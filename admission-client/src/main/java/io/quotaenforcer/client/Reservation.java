package io.quotaenforcer.client;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import java.util.function.LongPredicate;

/**
 * Permits that were taken for a request whose actual cost is not known yet. Ends with the first
 * call of {@link #commit(long)}, {@link #cancel} or {@link #close}; later ones change nothing.
 *
 * <p>If the request costs less than was reserved, the rest goes back to where it came from, never
 * more than was taken: a permit of a window may be taken again until the window ends, and is void
 * after; of other kinds, as much is free again as has not renewed meanwhile. If it costs more, the
 * difference is <em>owed</em>: the next permits of the same quota keys at this instance pay it
 * before any request is admitted. Every rule that was charged is corrected alike.
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
  private final LongPredicate settle;

  private Reservation(Decision decision, long reserved, LongPredicate settle) {
    this.decision = decision;
    this.reserved = reserved;
    this.settle = settle;
  }

  /**
   * A reservation, for other implementations of {@link Admission}.
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
    return new Reservation(decision, reserved, settle);
  }

  /** The outcome of a charge. */
  static ReserveOutcome of(Charge charge, LongPredicate settle) {
    return charge.decision().admitted()
        ? of(charge.decision(), charge.charged(), settle)
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
   * Ends the reservation.
   *
   * @param actual the cost of the request in permits, from 0 to 10<sup>12</sup>; may be more than
   *     was reserved
   * @return false if it had ended before
   * @throws IllegalArgumentException if {@code actual} is less or more; the reservation stays open
   */
  public boolean commit(long actual) {
    return settle.test(actual);
  }

  /**
   * Ends the reservation of a request that did not run, or failed: it is refunded.
   *
   * @return false if it had ended before
   */
  public boolean cancel() {
    return commit(0);
  }

  /** Cancels the reservation unless it was committed. */
  @Override
  public void close() {
    cancel();
  }
}
