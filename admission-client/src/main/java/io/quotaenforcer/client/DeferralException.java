package io.quotaenforcer.client;

import org.jspecify.annotations.Nullable;

/**
 * A request could not be deferred, or it is not known whether it was. The message says which of the
 * two, and why.
 */
public class DeferralException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String id;

  DeferralException(String id, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.id = id;
  }

  /** Names the request: the id that was given, or made up. */
  public String id() {
    return id;
  }
}
