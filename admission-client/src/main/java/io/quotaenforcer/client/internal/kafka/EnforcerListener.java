package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.RuleSet;

/** Is told what the background threads hear. Called by these threads; must not wait. */
public interface EnforcerListener {

  /** Does nothing. */
  EnforcerListener NONE = new EnforcerListener() {};

  /** The enforcer has answered a usage report, and the answer is applied. */
  default void answered(QuotaSnapshot snapshot) {}

  /** The enforcer has answered a deferred request. */
  default void answered(DeferralAnswer answer) {}

  /**
   * All rules of now are in force: for the first time, or others than before.
   *
   * @param maxInstances there may be; 0 as long as that is not known
   */
  default void rulesApplied(RuleSet rules, int maxInstances) {}

  /** The rules have changed, and there is one that cannot be read, nor was its version before. */
  default void rulesIncomplete() {}

  /** Some milliseconds have passed. */
  default void tick() {}
}
