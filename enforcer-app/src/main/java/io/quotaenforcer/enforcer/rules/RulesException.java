package io.quotaenforcer.enforcer.rules;

/** Rules could not be read or published; the message says what to do. */
public final class RulesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RulesException(String message) {
    super(message);
  }

  public RulesException(String message, Throwable cause) {
    super(message, cause);
  }
}
