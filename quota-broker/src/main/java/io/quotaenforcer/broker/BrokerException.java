package io.quotaenforcer.broker;

import org.jspecify.annotations.Nullable;

/** The embedded broker cannot run; the message says why and what to do. */
public final class BrokerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BrokerException(String message) {
    super(message);
  }

  public BrokerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
