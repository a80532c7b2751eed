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
 * <p>A reservation that is never ended keeps what it took; nothing else is held for it, so there is
 * no timeout. Safe for use by any number of threads.
 */
public final class Reservation implements ReserveOutcome, AutoCloseable {
  private final Charge charge;
  private final LongPredicate settle;

  /**
   * @param settle settles the charge for an actual cost; false when it was settled before
   */
  Reservation(Charge charge, LongPredicate settle) {
    this.charge = charge;
    this.settle = settle;
  }

  @Override
  public Decision decision() {
    return charge.decision();
  }

  /** Permits that each matching rule was charged; 0 when no rule matched. */
  public long reserved() {
    return charge.charged();
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
