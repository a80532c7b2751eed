package io.quotaenforcer.schemas.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Contents of the rules topic so far: the rules in force and the facts of the prefix. An unreadable
 * rule is not taken for a deleted one: its previous version stays in force, and it is tried again
 * when its schema becomes known. Owned by the thread that reads the topic.
 */
public final class RuleFeed {
  private final Predicate<String> domains;
  private final RuleSet ofLastTime;
  private final Map<RuleId, Rule> rules = new TreeMap<>();
  private final SortedMap<String, UnreadRule> unread = new TreeMap<>();
  private final Set<String> announced = new HashSet<>();
  private @Nullable PrefixInfo prefix;
  private boolean changed;

  /**
   * @param domains which domains are wanted
   */
  public RuleFeed(Predicate<String> domains) {
    this(domains, RuleSet.empty());
  }

  /**
   * @param domains the wanted domains
   * @param ofLastTime rules of an earlier run: they stay in force while unreadable now
   */
  public RuleFeed(Predicate<String> domains, RuleSet ofLastTime) {
    this.domains = domains;
    this.ofLastTime = ofLastTime;
  }

  /**
   * Takes in one record of the rules topic.
   *
   * @return the record if it is unreadable for the first time, and a rule is missed for it
   * @throws RuntimeException if it is unreadable and no rule is missed for it
   */
  public Optional<UnreadRule> apply(ConsumerRecord<byte[], byte[]> record, Wire wire) {
    String key = new String(record.key(), StandardCharsets.UTF_8);
    if (Wire.isAnnouncement(key)) {
      learn(key, record, wire);
      return Optional.empty();
    }
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

  private void learn(String key, ConsumerRecord<byte[], byte[]> record, Wire wire) {
    if (record.value() != null) {
      wire.learn(key, record.value());
      announced.add(key);
      List.copyOf(unread.values()).forEach(each -> apply(each.record(), wire));
    }
  }

  /** Tries again to read records for which a schema registry did not answer. */
  public void retry(Wire wire) {
    if (!unread.isEmpty()) {
      List.copyOf(unread.values()).stream()
          .filter(UnreadRule::isRetriable)
          .forEach(each -> apply(each.record(), wire));
    }
  }

  private void read(String key, ConsumerRecord<byte[], byte[]> record, Wire wire) {
    if (key.equals(Topics.PREFIX_KEY)) {
      prefix = record.value() == null ? prefix : wire.decodePrefix(record.value());
    } else if (record.value() == null) {
      remove(RuleId.parse(key));
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
    UnreadRule unreadable = new UnreadRule(key, hasBefore(key, record), record, e);
    UnreadRule known = unread.put(key, unreadable);
    boolean isNew = known == null || !known.isSame(unreadable);
    changed |= isNew;
    return isNew ? Optional.of(unreadable) : Optional.empty();
  }

  private boolean hasBefore(String key, ConsumerRecord<byte[], byte[]> record) {
    if (key.equals(Topics.PREFIX_KEY)) {
      return prefix != null;
    }
    RuleId id = RuleId.parse(key);
    if (!rules.containsKey(id)) {
      ofLastTime.rule(id).ifPresent(rule -> put(rule));
    }
    return rules.containsKey(id);
  }

  void put(Rule rule) {
    if (!domains.test(rule.id().domain())) {
      return;
    }
    rules.put(rule.id(), rule);
    changed = true;
  }

  void remove(RuleId id) {
    changed |= rules.remove(id) != null;
  }

  public Optional<PrefixInfo> prefix() {
    return Optional.ofNullable(prefix);
  }

  /** The rules in force, if they, or the unreadable records, changed since the last call. */
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

  /** Unreadable records, by key. */
  public SortedMap<String, UnreadRule> unreadable() {
    return new TreeMap<>(unread);
  }

  /** Whether every rule is in force in some version, the newest or the one before. */
  public boolean isComplete() {
    return unread.values().stream()
        .allMatch(each -> each.hasVersionBefore() || each.key().equals(Topics.PREFIX_KEY));
  }

  /** Whether every schema that this process writes with is announced to older processes. */
  public boolean announces(Wire wire) {
    return announced.containsAll(wire.announcements().keySet());
  }
}
