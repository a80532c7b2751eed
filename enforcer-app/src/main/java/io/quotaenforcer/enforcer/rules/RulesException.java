package io.quotaenforcer.enforcer.rules;

import org.jspecify.annotations.Nullable;

/** Rules could not be read or published; the message says what to do. */
public final class RulesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isUnreachable;

  public RulesException(String message) {
    this(message, null, false);
  }

  public RulesException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private RulesException(String message, @Nullable Throwable cause, boolean isUnreachable) {
    super(message, cause);
    this.isUnreachable = isUnreachable;
  }

  /** Kafka gave no answer in time. */
  public static RulesException unreachable(String message, @Nullable Throwable cause) {
    return new RulesException(message, cause, true);
  }

  /** Whether Kafka gave no answer, rather than one that is no. */
  public boolean isUnreachable() {
    return isUnreachable;
  }
}
