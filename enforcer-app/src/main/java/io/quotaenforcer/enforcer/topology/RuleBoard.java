package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.rule.RuleSet;

/** The rules in force, handed from the thread that follows the rules topic to the topology's. */
public final class RuleBoard {
  private volatile RuleSet rules = RuleSet.empty();

  /** Puts rules in force. */
  public void post(RuleSet newer) {
    rules = newer;
  }

  public RuleSet rules() {
    return rules;
  }
}
