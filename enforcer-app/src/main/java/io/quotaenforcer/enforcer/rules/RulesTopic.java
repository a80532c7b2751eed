package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.rules.RuleChange.Added;
import io.quotaenforcer.rules.RuleChange.Changed;
import io.quotaenforcer.rules.RuleChange.Deleted;
import io.quotaenforcer.rules.RuleChange.Kept;
import io.quotaenforcer.rules.RuleChange.Unchanged;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules topic as the database of rules, and the topic of their history.
 *
 * <p>Concurrent publishers take turns: each checks that its rules have not changed since it read
 * them, and writes only if no other took a turn since the check. A publisher that lost its turn
 * checks again.
 */
public final class RulesTopic implements RuleStore {
  private static final int MOST_TURNS = 12;
  private static final long PAUSE_STEP_NANOS = 50_000_000L;

  private final RulesLog log;
  private final RuleCodec codec;
  private final LongSupplier wallMillis;
  private final Pause pause;

  /** Waits before another turn; the first one has the number 1. */
  interface Pause {
    void before(int turn);
  }

  /**
   * The rules of one prefix in Kafka; nothing is opened before it is needed.
   *
   * @param clientSettings connection to the brokers
   * @param timeout longest time of reading or writing
   */
  public static RulesTopic inKafka(
      Map<String, Object> clientSettings, Wire wire, Duration timeout) {
    return inKafka(clientSettings, clientSettings, wire, timeout);
  }

  /** The same, with separate settings for readers and writers. */
  public static RulesTopic inKafka(
      Map<String, Object> consumerSettings,
      Map<String, Object> producerSettings,
      Wire wire,
      Duration timeout) {
    return new RulesTopic(
        new KafkaRulesLog(
            consumerSettings,
            producerSettings,
            wire.topics().rules().name(),
            wire.topics().ruleHistory().name(),
            wire.topics().audit().name(),
            timeout,
            System::nanoTime),
        new WireRuleCodec(wire),
        System::currentTimeMillis,
        RulesTopic::pauseAtRandom);
  }

  RulesTopic(RulesLog log, RuleCodec codec, LongSupplier wallMillis, Pause pause) {
    this.log = log;
    this.codec = codec;
    this.wallMillis = wallMillis;
    this.pause = pause;
  }

  /** Longer from turn to turn, and never as long as another publisher's. */
  private static void pauseAtRandom(int turn) {
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE_STEP_NANOS * turn));
  }

  @Override
  public PublishedRules read() {
    RulesLog.Chunk chunk = log.readFrom(0);
    TreeMap<RuleId, Rule> rules = new TreeMap<>();
    Map<RuleId, Long> atMillis = new HashMap<>();
    TreeMap<String, String> unreadable = new TreeMap<>();
    Set<String> announced = learn(chunk.entries(), unreadable);
    for (RulesLog.Entry entry : chunk.entries()) {
      if (codec.isRule(entry.key())) {
        take(entry, rules, atMillis, unreadable);
      }
    }
    return new PublishedRules(rules, atMillis, unreadable, announced, chunk.endOffset());
  }

  /** The keys of announced schemas, whose records are readable from now on. */
  private Set<String> learn(List<RulesLog.Entry> entries, Map<String, String> unreadable) {
    Set<String> announced = new HashSet<>();
    for (RulesLog.Entry entry : entries) {
      byte @Nullable [] value = entry.value();
      if (codec.isAnnouncement(entry.key()) && value != null) {
        announced.add(entry.key());
        try {
          codec.learn(entry.key(), value);
        } catch (RuntimeException e) {
          unreadable.put(entry.key(), reason(e));
        }
      }
    }
    return announced;
  }

  @Override
  public RuleHistory history(PublishedRules published) {
    return history(published, log.readHistoryFrom(0));
  }

  private RuleHistory history(PublishedRules published, RulesLog.Chunk records) {
    List<RuleVersion> versions = new ArrayList<>();
    List<RuleHistory.Unreadable> unreadable = new ArrayList<>();
    // A version's time is that of its record, whatever the publisher's clock said, except for a
    // record that tells of it once more.
    Map<RuleId, Long> newest = new HashMap<>();
    for (RulesLog.Entry entry : records.entries()) {
      if (entry.value() == null) {
        continue;
      }
      try {
        RuleVersion told = codec.decodeVersion(entry.value());
        Long before = newest.put(told.id(), told.version());
        boolean isNew =
            before == null
                ? RuleHistory.isNew(told, entry.timestampMillis())
                : before < told.version();
        versions.add(isNew ? told.publishedAt(entry.timestampMillis()) : told);
      } catch (RuntimeException e) {
        unreadable.add(new RuleHistory.Unreadable(entry.key(), entry.offset(), reason(e)));
      }
    }
    return RuleHistory.of(versions, published, unreadable);
  }

  @Override
  public void publish(PublishedRules basis, List<RuleChange> changes, Authorship by) {
    if (changes.stream().allMatch(it -> it instanceof Kept || it instanceof Unchanged)) {
      return;
    }
    long now = wallMillis.getAsLong();
    List<RulesLog.Write> rules = new ArrayList<>();
    changes.forEach(change -> addTo(rules, change, now));
    List<RulesLog.Write> records = new ArrayList<>(unannounced(basis));
    records.addAll(rules);
    Set<String> keys = new HashSet<>();
    rules.forEach(write -> keys.add(write.key()));
    RulesLog.Chunk past = log.readHistoryFrom(0);
    RuleHistory known = history(basis, past);
    checkNew(changes, known);
    List<RulesLog.Write> history =
        known.publishing(changes, now, by).stream()
            .map(it -> new RulesLog.Write(it.id().toString(), codec.encode(it)))
            .toList();
    List<RulesLog.Write> audit =
        by.audit().stream()
            .map(it -> new RulesLog.Write(it.what().action(), codec.encode(it)))
            .toList();
    Set<Long> own = new HashSet<>();
    for (int turn = 1; ; turn++) {
      log.takeTurn();
      List<RulesLog.Entry> since = log.readFrom(basis.endOffset()).entries();
      if (since.stream().anyMatch(entry -> own.contains(entry.offset()))) {
        return;
      }
      checkUnchanged(since, keys);
      // Deletions that compaction has removed are visible only here.
      checkUnchanged(log.readHistoryFrom(past.endOffset()).entries(), keys);
      if (turn > MOST_TURNS) {
        throw new RulesException(
            "nothing was published: someone else was publishing at each of %s attempts; repeat it later"
                .formatted(MOST_TURNS));
      }
      RulesLog.Appended appended = log.append(records, history, audit);
      if (appended.isCertain()) {
        return;
      }
      own.addAll(appended.offsets());
      pause.before(turn);
    }
  }

  @Override
  public void close() {
    log.close();
  }

  /** Schemas of this program that older readers cannot know yet. */
  private List<RulesLog.Write> unannounced(PublishedRules basis) {
    return codec.announcements().entrySet().stream()
        .filter(schema -> !basis.announced().contains(schema.getKey()))
        .map(schema -> new RulesLog.Write(schema.getKey(), schema.getValue()))
        .toList();
  }

  private static void checkUnchanged(List<RulesLog.Entry> since, Set<String> keys) {
    Set<String> changed = new TreeSet<>();
    since.stream().map(RulesLog.Entry::key).filter(keys::contains).forEach(changed::add);
    refuse(changed);
  }

  /**
   * Refuses a rule whose new version the history already has: it was published after the basis was
   * read.
   */
  private static void checkNew(List<RuleChange> changes, RuleHistory known) {
    Set<String> changed = new TreeSet<>();
    for (RuleChange change : changes) {
      if (change instanceof Added added && added.rule().version() < known.nextVersion(added.id())) {
        changed.add(added.id().toString());
      }
    }
    refuse(changed);
  }

  private static void refuse(Set<String> changed) {
    if (!changed.isEmpty()) {
      throw new RulesException(
          "nothing was published: changed by someone else since it was read: %s; look at the rules again and repeat"
              .formatted(String.join(", ", changed)));
    }
  }

  private void addTo(List<RulesLog.Write> writes, RuleChange change, long now) {
    String key = change.id().toString();
    if (change instanceof Added added) {
      writes.add(new RulesLog.Write(key, codec.encode(added.rule(), now)));
    } else if (change instanceof Changed changed) {
      writes.add(new RulesLog.Write(key, codec.encode(changed.after(), now)));
    } else if (change instanceof Deleted) {
      writes.add(new RulesLog.Write(key, null));
    }
  }

  private void take(
      RulesLog.Entry entry,
      Map<RuleId, Rule> rules,
      Map<RuleId, Long> atMillis,
      Map<String, String> unreadable) {
    byte @Nullable [] value = entry.value();
    unreadable.remove(entry.key());
    try {
      RuleId id = RuleId.parse(entry.key());
      rules.remove(id);
      atMillis.remove(id);
      if (value == null) {
        return;
      }
      Rule rule = codec.decode(value);
      if (!rule.id().equals(id)) {
        throw new IllegalArgumentException("must be the key of its record: id=" + rule.id());
      }
      rules.put(id, rule);
      atMillis.put(id, entry.timestampMillis());
    } catch (RuntimeException e) {
      String reason = reason(e);
      if (value != null) {
        unreadable.put(entry.key(), reason);
      }
    }
  }

  /** Reason why a record cannot be read; rethrows exceptions that say nothing of the record. */
  private static String reason(RuntimeException e) {
    if (e instanceof CodecException codec && codec.isRetriable()) {
      // The registry does not answer.
      throw codec;
    }
    return Objects.toString(e.getMessage(), e.getClass().getSimpleName());
  }
}
