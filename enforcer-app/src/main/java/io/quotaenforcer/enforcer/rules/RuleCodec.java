package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.rule.Rule;

/** Rules as bytes. */
interface RuleCodec {

  byte[] encode(Rule rule);

  /** Throws a RuntimeException that says what is wrong with the record. */
  Rule decode(byte[] record);

  /** Whether the key is that of a rule, and not of what else the topic holds. */
  boolean isRule(String key);
}
