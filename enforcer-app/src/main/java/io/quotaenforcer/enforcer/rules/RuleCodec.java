package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.Rule;
import java.util.Map;

/** Rules and their versions as bytes. */
interface RuleCodec {

  /**
   * A published rule.
   *
   * @param atMillis when it is published, epoch milliseconds
   */
  byte[] encode(Rule rule, long atMillis);

  /** Throws a RuntimeException with the problem of the record. */
  Rule decode(byte[] record);

  /** Whether the key is a rule's, and not that of other contents of the topic. */
  boolean isRule(String key);

  /** Schemas that older readers need for records written here, by their keys in the topic. */
  Map<String, byte[]> announcements();

  /** Whether the key is a schema's. */
  boolean isAnnouncement(String key);

  /** Makes records written with an announced schema readable. */
  void learn(String key, byte[] announcement);

  byte[] encode(RuleVersion version);

  byte[] encode(AuditRecord audit);

  /** Throws a RuntimeException with the problem of the record. */
  RuleVersion decodeVersion(byte[] record);
}
