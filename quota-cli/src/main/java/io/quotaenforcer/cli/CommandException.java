package io.quotaenforcer.cli;

import org.jspecify.annotations.Nullable;

/** Ends a command; the message says why and what to do. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  public CommandException(int exitCode, String message) {
    this(exitCode, message, null);
  }

  public CommandException(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }
}
