package io.quotaenforcer.client;

/** What an admission client answers as long as it does not know the rules. */
public enum BeforeRules {
  /** Requests are admitted, and not counted. */
  ADMIT,
  /** Requests are refused. */
  DENY
}
