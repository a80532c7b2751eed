package io.quotaenforcer.core.ledger;

/**
 * Where use of a cell was booked last, for kinds without windows.
 *
 * @param sinceNanos window in which it was; of a bucket that is refilled steadily, time since which
 *     it was
 * @param permits of the cell booked in that window, or since then
 */
public record Booking(long sinceNanos, long permits) {
  /** Nothing is known to be booked. */
  static final Booking NONE = new Booking(0, 0);
}
