package io.quotaenforcer.core;

/** Outcome of a request. */
public enum Outcome {
  ADMITTED,
  THROTTLED,
  /** Throttled, and handed over to be run later. */
  DEFERRED
}
