package io.quotaenforcer.client.spi;

/** How handing over a request to be deferred has ended. */
public enum DeferralOutcome {
  /** The enforcer has it, and will release it. */
  ACCEPTED,
  /** The enforcer has no room for it. */
  REFUSED,
  /** It could not be written, or it is not known whether it was. */
  FAILED,
  /** It is durable, but the enforcer has not answered in time, or the client was closed first. */
  UNANSWERED
}
