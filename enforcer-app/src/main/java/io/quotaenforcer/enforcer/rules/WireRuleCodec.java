package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;

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
    return !key.equals(Topics.PREFIX_KEY);
  }

  @Override
  public byte[] encode(RuleVersion version) {
    return wire.encode(version);
  }

  @Override
  public RuleVersion decodeVersion(byte[] record) {
    return wire.decodeRuleVersion(record);
  }
}
