package io.quotaenforcer.client.kafka;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the rules topic has said so far: the rules in force and the facts of the prefix. Owned by
 * the thread that reads the topic.
 */
public final class RuleFeed {
  private final Predicate<String> domains;
  private final Map<RuleId, Rule> rules = new TreeMap<>();
  private final Map<RuleId, Long> generationSinceMillis = new TreeMap<>();
  private @Nullable PrefixInfo prefix;
  private boolean changed;

  /**
   * @param domains which domains are wanted
   */
  public RuleFeed(Predicate<String> domains) {
    this.domains = domains;
  }

  /** Takes in one record of the rules topic; throws when it cannot be read. */
  public void apply(ConsumerRecord<byte[], byte[]> record, Wire wire) {
    String key = new String(record.key(), StandardCharsets.UTF_8);
    if (key.equals(Topics.PREFIX_KEY)) {
      prefix = record.value() == null ? prefix : wire.decodePrefix(record.value());
    } else if (record.value() == null) {
      remove(RuleId.parse(key));
    } else {
      put(wire.decodeRule(record.value()), record.timestamp());
    }
  }

  void put(Rule rule, long timestampMillis) {
    if (!domains.test(rule.id().domain())) {
      return;
    }
    Rule before = rules.put(rule.id(), rule);
    if (before == null || before.generation() != rule.generation()) {
      generationSinceMillis.put(rule.id(), timestampMillis);
    }
    changed = true;
  }

  void remove(RuleId id) {
    changed |= rules.remove(id) != null;
    generationSinceMillis.remove(id);
  }

  public Optional<PrefixInfo> prefix() {
    return Optional.ofNullable(prefix);
  }

  /** The rules in force, if they changed since this was last called. */
  public Optional<RuleSet> takeChange() {
    if (!changed) {
      return Optional.empty();
    }
    changed = false;
    return Optional.of(RuleSet.of(rules.values()));
  }

  /** The rules in force. */
  public RuleSet rules() {
    return RuleSet.of(rules.values());
  }

  /** When each rule's generation came into force, in epoch milliseconds. */
  public Map<RuleId, Long> generationSinceMillis() {
    return Map.copyOf(generationSinceMillis);
  }
}
