package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.store.RegistryPatience;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * How much of the limits of rules is in force by the load of the service. Rows are the records of
 * the topic, as they came: a successor reads them from there.
 */
final class LimitsInForce {
  private final KeyValueStore<Bytes, byte[]> store;
  private final Wire wire;
  private final RegistryPatience patience = new RegistryPatience();

  LimitsInForce(ProcessingContext context, Wire wire) {
    this.store = context.getStateStore(Stores.LIMITS_IN_FORCE);
    this.wire = wire;
  }

  /**
   * So much of a limit as is in force.
   *
   * @param why it is another than the one written; empty where it is not
   */
  record Part(Limit limit, Optional<LimitInForce> why) {}

  /** All of it where the rule follows no load of a service. */
  Part of(Rule rule, Limit whole) {
    if (rule.adapt().isEmpty() || OwnLimits.areFollowed(rule)) {
      return new Part(whole, Optional.empty());
    }
    Optional<LimitInForce> decided = of(rule.id());
    int basisPoints = decided.map(LimitInForce::basisPoints).orElse(AdaptTerms.WHOLE);
    return new Part(rule.inForce(whole, basisPoints), decided.filter(it -> !it.isWhole()));
  }

  /** Empty where nothing was decided that can be read: that it cannot was said when it came. */
  Optional<LimitInForce> of(RuleId rule) {
    byte[] row = store.get(Bytes.wrap(rule.toString().getBytes(StandardCharsets.UTF_8)));
    if (row == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(read(row));
    } catch (StreamsException e) {
      throw e;
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  /** The rules of which something was decided; keys that name none are passed over. */
  List<RuleId> rules() {
    List<RuleId> rules = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> row = all.next();
        try {
          rules.add(RuleId.parse(new String(row.key.get(), StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
          continue;
        }
      }
    }
    return rules;
  }

  /**
   * The rule that a record of the topic is for.
   *
   * @throws IllegalArgumentException saying why it is not followed, if so
   */
  RuleId check(Record<byte[], byte[]> record) {
    RuleId rule = RuleId.parse(new String(record.key(), StandardCharsets.UTF_8));
    if (record.value() != null) {
      read(record.value());
    }
    return rule;
  }

  private LimitInForce read(byte[] value) {
    return patience.read(() -> wire.decodeLimitInForce(value));
  }
}
