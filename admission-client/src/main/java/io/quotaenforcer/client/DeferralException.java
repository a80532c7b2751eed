package io.quotaenforcer.client;

import org.jspecify.annotations.Nullable;

/** A request could not be deferred, or it is not known whether it was; the message says which. */
public class DeferralException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String id;

  DeferralException(String id, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.id = id;
  }

  /** Names the request. */
  public String id() {
    return id;
  }
}
