package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.Rule;
import java.util.Map;

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

  /** Schemas that older readers need to read what is written here, by their keys in the topic. */
  Map<String, byte[]> announcements();

  /** Whether the key is that of a schema. */
  boolean isAnnouncement(String key);

  /** Makes records readable that are written with an announced schema. */
  void learn(String key, byte[] announcement);

  byte[] encode(RuleVersion version);

  /** Throws a RuntimeException that says what is wrong with the record. */
  RuleVersion decodeVersion(byte[] record);
}
