package io.quotaenforcer.grpc;

/**
 * The treatment of a call that cannot be decided, as the code that describes it to the rules, or
 * the admission itself, threw an exception. It is logged, at most once a minute.
 */
public enum OnFailure {
  /** The call goes on, and no permits are taken. */
  ADMIT,
  /** The call ends with {@code UNAVAILABLE}. */
  REFUSE
}
