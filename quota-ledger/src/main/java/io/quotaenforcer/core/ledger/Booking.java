package io.quotaenforcer.core.ledger;

/**
 * Where use of a cell was booked last, for kinds without windows.
 *
 * @param windowStartNanos window in which it was
 * @param permits of the cell booked in that window
 */
public record Booking(long windowStartNanos, long permits) {
  /** Nothing is known to be booked. */
  static final Booking NONE = new Booking(0, 0);
}
