package io.quotaenforcer.gateway;

/** A gateway cannot start; the message says why and what to do. */
public final class GatewayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  GatewayException(String message) {
    super(message);
  }
}
