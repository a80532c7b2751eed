package io.quotaenforcer.enforcer.operations;

/** Something was not done; the message says why, and whether anything was changed. */
public final class OperationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OperationException(String message) {
    super(message);
  }

  public OperationException(String message, Throwable cause) {
    super(message, cause);
  }
}
