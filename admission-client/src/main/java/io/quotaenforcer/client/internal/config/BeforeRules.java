package io.quotaenforcer.client.internal.config;

/** The answer of an admission client as long as it does not know the rules. */
public enum BeforeRules {
  /** Requests are admitted, and not counted. */
  ADMIT,
  /** Requests are refused. */
  DENY
}
