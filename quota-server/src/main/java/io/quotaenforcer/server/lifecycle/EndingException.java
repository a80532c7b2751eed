package io.quotaenforcer.server.lifecycle;

import org.jspecify.annotations.Nullable;

/** The program is ending, so that nothing more is opened. */
public final class EndingException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public EndingException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
