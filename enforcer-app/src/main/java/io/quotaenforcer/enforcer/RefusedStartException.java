package io.quotaenforcer.enforcer;

/** An enforcer cannot run on the topics as they are; the message says why and what to do. */
public final class RefusedStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RefusedStartException(String message) {
    super(message);
  }
}
