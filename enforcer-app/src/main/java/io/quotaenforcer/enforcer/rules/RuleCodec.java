package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.Rule;

/** Rules and their versions as bytes. */
interface RuleCodec {

  /**
   * A published rule.
   *
   * @param atMillis when it is published, in milliseconds since 1970
   */
  byte[] encode(Rule rule, long atMillis);

  /** Throws a RuntimeException that says what is wrong with the record. */
  Rule decode(byte[] record);

  /** Whether the key is that of a rule, and not of what else the topic holds. */
  boolean isRule(String key);

  byte[] encode(RuleVersion version);

  /** Throws a RuntimeException that says what is wrong with the record. */
  RuleVersion decodeVersion(byte[] record);
}
