package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.function.LongSupplier;

/** Rules as the records of the rules topic. */
final class WireRuleCodec implements RuleCodec {
  private final Wire wire;
  private final LongSupplier wallMillis;

  /**
   * A codec for one prefix.
   *
   * @param wallMillis the time that is written into records
   */
  WireRuleCodec(Wire wire, LongSupplier wallMillis) {
    this.wire = wire;
    this.wallMillis = wallMillis;
  }

  @Override
  public byte[] encode(Rule rule) {
    return wire.encode(rule, wallMillis.getAsLong());
  }

  @Override
  public Rule decode(byte[] record) {
    return wire.decodeRule(record);
  }

  @Override
  public boolean isRule(String key) {
    return !key.equals(Topics.PREFIX_KEY);
  }
}
