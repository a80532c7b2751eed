package io.quotaenforcer.client.kafka;

import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;

/** Is told what the background threads hear. Called by these threads; must not wait. */
public interface EnforcerListener {

  /** Does nothing. */
  EnforcerListener NONE = new EnforcerListener() {};

  /** The enforcer has answered a usage report, and the answer is applied. */
  default void answered(QuotaSnapshot snapshot) {}

  /** The enforcer has answered a deferred request. */
  default void answered(DeferralAnswer answer) {}

  /** All rules of now are in force, for the first time. */
  default void rulesKnown() {}

  /** Some milliseconds have passed. */
  default void tick() {}
}
