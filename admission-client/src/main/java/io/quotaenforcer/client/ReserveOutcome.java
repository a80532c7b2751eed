package io.quotaenforcer.client;

import io.quotaenforcer.core.Decision;

/** Whether permits were reserved for a request: a {@link Reservation}, or {@link NotReserved}. */
public sealed interface ReserveOutcome permits Reservation, ReserveOutcome.NotReserved {

  /** The answer to the request, at its estimated cost. */
  Decision decision();

  /** A rule had no room for the estimate, or no rules are known yet; nothing was taken. */
  record NotReserved(Decision decision) implements ReserveOutcome {}
}
