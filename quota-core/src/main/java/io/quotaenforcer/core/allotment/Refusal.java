package io.quotaenforcer.core.allotment;

/** How to treat permits that a rule has no room for. */
enum Refusal {
  /** They count as throttled. */
  COUNT,
  /** A request waits for them. */
  AWAIT,
  /** They may be borrowed. */
  BORROW
}
