package io.quotaenforcer.client;

import io.quotaenforcer.core.Decision;

/** Whether permits were reserved for a request: a {@link Reservation}, or {@link NotReserved}. */
public sealed interface ReserveOutcome permits Reservation, ReserveOutcome.NotReserved {

  /** The answer to the request, at its estimated cost. */
  Decision decision();

  /** A rule had no room for the estimate; nothing was taken. */
  record NotReserved(Decision.Throttled decision) implements ReserveOutcome {}
}
