package io.quotaenforcer.lab.up;

import org.jspecify.annotations.Nullable;

/** Something cannot be started; the message says what, and what to do. */
public final class UpException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UpException(String message) {
    this(message, null);
  }

  public UpException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
