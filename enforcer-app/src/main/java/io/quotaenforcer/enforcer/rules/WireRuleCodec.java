package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.Map;

/** Rules as the records of the rules topic, versions as those of the history. */
record WireRuleCodec(Wire wire) implements RuleCodec {

  @Override
  public byte[] encode(Rule rule, long atMillis) {
    return wire.encode(rule, atMillis);
  }

  @Override
  public Rule decode(byte[] record) {
    return wire.decodeRule(record);
  }

  @Override
  public boolean isRule(String key) {
    return !key.equals(Topics.PREFIX_KEY) && !isAnnouncement(key);
  }

  @Override
  public Map<String, byte[]> announcements() {
    return wire.announcements();
  }

  @Override
  public boolean isAnnouncement(String key) {
    return Wire.isAnnouncement(key);
  }

  @Override
  public void learn(String key, byte[] announcement) {
    wire.learn(key, announcement);
  }

  @Override
  public byte[] encode(RuleVersion version) {
    return wire.encode(version);
  }

  @Override
  public byte[] encode(AuditRecord audit) {
    return wire.encode(audit);
  }

  @Override
  public RuleVersion decodeVersion(byte[] record) {
    return wire.decodeRuleVersion(record);
  }
}
