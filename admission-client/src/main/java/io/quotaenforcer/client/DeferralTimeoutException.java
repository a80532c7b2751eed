package io.quotaenforcer.client;

/** The enforcer has not answered in time. The request is durable all the same, and may run. */
public final class DeferralTimeoutException extends DeferralException {
  private static final long serialVersionUID = 1L;

  DeferralTimeoutException(String id, String message) {
    super(id, message, null);
  }
}
