package io.quotaenforcer.enforcer.operations;

/** Something was not done; the message says why, and whether anything was changed. */
public sealed class OperationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OperationException(String message) {
    super(message);
  }

  public OperationException(String message, Throwable cause) {
    super(message, cause);
  }

  /** This enforcer does as many at a time as it may: nothing was changed, and it may be soon. */
  public static final class Busy extends OperationException {
    private static final long serialVersionUID = 1L;

    public Busy(String message) {
      super(message);
    }
  }
}
