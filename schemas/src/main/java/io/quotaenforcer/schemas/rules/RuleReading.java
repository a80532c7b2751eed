package io.quotaenforcer.schemas.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** What was read of the rules topic, from its beginning on. */
final class RuleReading {
  private final Predicate<String> domains;
  private final Function<RuleId, Optional<Rule>> before;
  private final Map<RuleId, Rule> rules = new TreeMap<>();
  private final SortedMap<String, UnreadRule> unread = new TreeMap<>();
  private @Nullable PrefixInfo prefix;
  private boolean changed;

  /**
   * @param domains the wanted domains
   * @param before rules that were known before this reading: they stay in force while unreadable
   */
  RuleReading(Predicate<String> domains, Function<RuleId, Optional<Rule>> before) {
    this.domains = domains;
    this.before = before;
  }

  /**
   * Takes in one record that is no announcement.
   *
   * @return the record if it is unreadable for the first time, and a rule is missed for it
   * @throws RuntimeException if it is unreadable and no rule is missed for it
   */
  Optional<UnreadRule> apply(String key, ConsumerRecord<byte[], byte[]> record, Wire wire) {
    try {
      read(key, record, wire);
    } catch (RuntimeException e) {
      return record.value() == null || !isWanted(key, e)
          ? Optional.empty()
          : notRead(key, record, e);
    }
    changed |= unread.remove(key) != null;
    return Optional.empty();
  }

  /** Tries again to read what could not be read. */
  void retry(Wire wire, Predicate<UnreadRule> which) {
    List.copyOf(unread.values()).stream()
        .filter(which)
        .forEach(each -> apply(each.key(), each.record(), wire));
  }

  private void read(String key, ConsumerRecord<byte[], byte[]> record, Wire wire) {
    if (key.equals(Topics.PREFIX_KEY)) {
      prefix = record.value() == null ? prefix : wire.decodePrefix(record.value());
    } else if (record.value() == null) {
      changed |= rules.remove(RuleId.parse(key)) != null;
    } else {
      Rule rule = wire.decodeRule(record.value());
      if (!rule.id().equals(RuleId.parse(key))) {
        throw new IllegalArgumentException("must be the key of its record: id=" + rule.id());
      }
      put(rule);
    }
  }

  /** False for a rule of another domain; rethrows if the key is not a rule's. */
  private boolean isWanted(String key, RuntimeException e) {
    try {
      return key.equals(Topics.PREFIX_KEY) || domains.test(RuleId.parse(key).domain());
    } catch (IllegalArgumentException noRule) {
      throw e;
    }
  }

  private Optional<UnreadRule> notRead(
      String key, ConsumerRecord<byte[], byte[]> record, RuntimeException e) {
    UnreadRule unreadable = new UnreadRule(key, hasBefore(key), record, e);
    UnreadRule known = unread.put(key, unreadable);
    boolean isNew = known == null || !known.isSame(unreadable);
    changed |= isNew;
    return isNew ? Optional.of(unreadable) : Optional.empty();
  }

  private boolean hasBefore(String key) {
    if (key.equals(Topics.PREFIX_KEY)) {
      return prefix != null;
    }
    RuleId id = RuleId.parse(key);
    if (!rules.containsKey(id)) {
      before.apply(id).ifPresent(this::put);
    }
    return rules.containsKey(id);
  }

  private void put(Rule rule) {
    if (domains.test(rule.id().domain())) {
      rules.put(rule.id(), rule);
      changed = true;
    }
  }

  /** Facts of the prefix that are known from the start: they are never taken back. */
  void learn(@Nullable PrefixInfo known) {
    prefix = known;
  }

  @Nullable PrefixInfo prefix() {
    return prefix;
  }

  RuleSet rules() {
    return RuleSet.of(rules.values());
  }

  Optional<Rule> rule(RuleId id) {
    return Optional.ofNullable(rules.get(id));
  }

  /** Unreadable records, by key. */
  SortedMap<String, UnreadRule> unread() {
    return new TreeMap<>(unread);
  }

  /** Whether an unreadable record was found here, too. */
  boolean hasUnread(UnreadRule other) {
    UnreadRule known = unread.get(other.key());
    return known != null && known.isSame(other);
  }

  /** Whether rules or unreadable records changed since the last call. */
  boolean takeChange() {
    boolean was = changed;
    changed = false;
    return was;
  }

  /** Begins with a change to tell, unless the other has found the same. */
  void comesAfter(RuleReading other) {
    boolean sameUnread =
        unread.keySet().equals(other.unread.keySet())
            && unread.values().stream().allMatch(other::hasUnread);
    changed = other.changed || !sameUnread || !rules.equals(other.rules);
  }
}
