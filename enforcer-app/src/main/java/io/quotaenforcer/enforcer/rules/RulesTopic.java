package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.rules.RuleChange.Added;
import io.quotaenforcer.enforcer.rules.RuleChange.Changed;
import io.quotaenforcer.enforcer.rules.RuleChange.Deleted;
import io.quotaenforcer.enforcer.rules.RuleChange.Kept;
import io.quotaenforcer.enforcer.rules.RuleChange.Unchanged;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules topic as the database of rules.
 *
 * <p>Writers do not lock each other out. Each looks right before it writes and right after: of two
 * that publish the same rule at once, at least the one whose record comes second finds the other's,
 * and says so.
 */
public final class RulesTopic implements RuleStore {
  private final RulesLog log;
  private final RuleCodec codec;

  /**
   * The rules of one prefix in Kafka; nothing is opened before it is needed.
   *
   * @param clientSettings where the brokers are, and how to talk to them
   * @param timeout how long reading or writing may take
   */
  public static RulesTopic inKafka(
      Map<String, Object> clientSettings, Wire wire, Duration timeout) {
    String topic = wire.topics().rules().name();
    return new RulesTopic(
        new KafkaRulesLog(clientSettings, topic, timeout, System::nanoTime),
        new WireRuleCodec(wire, System::currentTimeMillis));
  }

  RulesTopic(RulesLog log, RuleCodec codec) {
    this.log = log;
    this.codec = codec;
  }

  @Override
  public PublishedRules read() {
    RulesLog.Chunk chunk = log.readFrom(0);
    TreeMap<RuleId, Rule> rules = new TreeMap<>();
    TreeMap<String, String> unreadable = new TreeMap<>();
    for (RulesLog.Entry entry : chunk.entries()) {
      if (codec.isRule(entry.key())) {
        take(entry.key(), entry.value(), rules, unreadable);
      }
    }
    return new PublishedRules(rules, unreadable, chunk.endOffset());
  }

  @Override
  public void publish(PublishedRules basis, List<RuleChange> changes) {
    List<RulesLog.Write> writes = new ArrayList<>();
    for (RuleChange change : changes) {
      RulesLog.Write write = write(change);
      if (write != null) {
        writes.add(write);
      }
    }
    if (writes.isEmpty()) {
      return;
    }
    Set<String> keys = new HashSet<>();
    writes.forEach(write -> keys.add(write.key()));
    RulesLog.Chunk since = log.readFrom(basis.endOffset());
    Set<String> changed = keysOf(since.entries(), keys, Set.of());
    if (!changed.isEmpty()) {
      throw new RulesException(
          "nothing was published: changed by someone else since it was read: "
              + String.join(", ", changed)
              + "; look at the rules again and repeat");
    }
    Set<Long> own = new HashSet<>(log.append(writes));
    RulesLog.Chunk after = log.readFrom(since.endOffset());
    Set<String> crossed = keysOf(after.entries(), keys, own);
    if (!crossed.isEmpty()) {
      throw new RulesException(
          "published, but someone else published at the same time: "
              + String.join(", ", crossed)
              + "; the later record is in force: look at the rules again and repeat if need be");
    }
  }

  @Override
  public void close() {
    log.close();
  }

  private static Set<String> keysOf(
      Collection<RulesLog.Entry> entries, Set<String> wanted, Set<Long> except) {
    Set<String> keys = new TreeSet<>();
    for (RulesLog.Entry entry : entries) {
      if (wanted.contains(entry.key()) && !except.contains(entry.offset())) {
        keys.add(entry.key());
      }
    }
    return keys;
  }

  private RulesLog.@Nullable Write write(RuleChange change) {
    String key = change.id().toString();
    if (change instanceof Added added) {
      return new RulesLog.Write(key, codec.encode(added.rule()));
    }
    if (change instanceof Changed changed) {
      return new RulesLog.Write(key, codec.encode(changed.after()));
    }
    if (change instanceof Deleted) {
      return new RulesLog.Write(key, null);
    }
    if (change instanceof Kept || change instanceof Unchanged) {
      return null;
    }
    throw new AssertionError(change);
  }

  private void take(
      String key,
      byte @Nullable [] value,
      Map<RuleId, Rule> rules,
      Map<String, String> unreadable) {
    unreadable.remove(key);
    try {
      RuleId id = RuleId.parse(key);
      rules.remove(id);
      if (value == null) {
        return;
      }
      Rule rule = codec.decode(value);
      if (!rule.id().equals(id)) {
        throw new IllegalArgumentException("must be the key of its record: id=" + rule.id());
      }
      rules.put(id, rule);
    } catch (RuntimeException e) {
      if (e instanceof CodecException codec && codec.isRetriable()) {
        // It says nothing of the record: the registry does not answer.
        throw codec;
      }
      if (value != null) {
        unreadable.put(key, Objects.toString(e.getMessage(), e.getClass().getSimpleName()));
      }
    }
  }
}
