package io.quotaenforcer.enforcer.query;

/** The enforcer starts or stops: ask again soon. */
public final class NotReadyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotReadyException(String message) {
    super(message);
  }
}
