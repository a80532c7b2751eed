package io.quotaenforcer.enforcer.topics;

/** The brokers did not carry out a request; the message says why and what to do. */
public final class BrokersException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kind of failure. */
  public enum Reason {
    /** No broker answers, or not to us: try again later, or check the address and credentials. */
    UNREACHABLE,
    /** An answer, which is no. */
    REFUSED
  }

  private final Reason reason;

  BrokersException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
