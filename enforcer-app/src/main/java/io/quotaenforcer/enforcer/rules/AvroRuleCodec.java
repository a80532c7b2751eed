package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.QuotaRule;
import io.quotaenforcer.schemas.mapping.RuleMapping;
import java.util.function.LongSupplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serde;

/** Rules as the records of the rules topic. */
final class AvroRuleCodec implements RuleCodec {
  private final String topic;
  private final Serde<SpecificRecord> records;
  private final String prefixKey;
  private final LongSupplier wallMillis;

  /**
   * A codec for one topic.
   *
   * @param prefixKey the key of the one record that is no rule
   * @param wallMillis the time that is written into records
   */
  AvroRuleCodec(
      String topic, Serde<SpecificRecord> records, String prefixKey, LongSupplier wallMillis) {
    this.topic = topic;
    this.records = records;
    this.prefixKey = prefixKey;
    this.wallMillis = wallMillis;
  }

  @Override
  public byte[] encode(Rule rule) {
    QuotaRule record = RuleMapping.toRecord(rule, wallMillis.getAsLong());
    return records.serializer().serialize(topic, record);
  }

  @Override
  public Rule decode(byte[] record) {
    SpecificRecord decoded = records.deserializer().deserialize(topic, record);
    if (!(decoded instanceof QuotaRule rule)) {
      throw new IllegalArgumentException(
          "must be a QuotaRule: record=" + decoded.getClass().getSimpleName());
    }
    return RuleMapping.fromRecord(rule);
  }

  @Override
  public boolean isRule(String key) {
    return !key.equals(prefixKey);
  }
}
