package io.quotaenforcer.pacer;

/**
 * The treatment of a record that cannot be decided, as the code that describes it to the rules, or
 * the admission itself, threw an exception. It is logged, at most once a minute.
 */
public enum OnFailure {
  /** It is handed out, and no permits are taken. */
  HAND_OUT,
  /** It waits, and its partition with it, and is tried again after the backoff. */
  HOLD
}
