package io.quotaenforcer.schemas.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Contents of the rules topic so far: the rules in force and the facts of the prefix. An unreadable
 * rule is not taken for a deleted one: its previous version stays in force, and it is tried again
 * when its schema becomes known. Owned by the thread that reads the topic.
 *
 * <p>The topic may be read from its beginning again: at its end, all that it does not hold any more
 * is gone, also where nothing tells of a deletion; until then what was in force stays.
 */
public final class RuleFeed {
  /**
   * Brokers forget a deletion some time after it was made ({@code delete.retention.ms}, a day by
   * default), and then nothing tells of it. Far shorter: to read the topic once more costs little.
   */
  static final Duration MOST_BEHIND = Duration.ofHours(1);

  private final Predicate<String> domains;
  private final RuleSet ofLastTime;
  private final LongSupplier epochMillis;
  private final Set<String> announced = new HashSet<>();
  private RuleReading inForce;

  /** From the beginning again, and not at the end yet. */
  private @Nullable RuleReading anew;

  private long upToDateMillis;

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
    this(domains, ofLastTime, System::currentTimeMillis);
  }

  /**
   * The same, by another clock.
   *
   * @param epochMillis wall clock: a monotonic one stands still while a machine is suspended
   */
  public RuleFeed(Predicate<String> domains, RuleSet ofLastTime, LongSupplier epochMillis) {
    this.domains = domains;
    this.ofLastTime = ofLastTime;
    this.epochMillis = epochMillis;
    this.inForce = new RuleReading(domains, ofLastTime::rule);
    this.upToDateMillis = epochMillis.getAsLong();
  }

  /**
   * The records that come next are those from the beginning of the topic on. In between, a rule may
   * have a version that was in force long ago, or be one that was deleted since.
   */
  public void readAnew() {
    RuleReading read = new RuleReading(domains, this::ruleBefore);
    read.learn(inForce.prefix());
    anew = read;
    upToDateMillis = epochMillis.getAsLong();
  }

  private Optional<Rule> ruleBefore(RuleId id) {
    return inForce.rule(id).or(() -> ofLastTime.rule(id));
  }

  /** Everything in the topic has been read: what was read anew is in force from now on. */
  public void atEnd() {
    RuleReading read = anew;
    if (read != null) {
      anew = null;
      read.comesAfter(inForce);
      inForce = read;
    }
  }

  /**
   * Brokers have just been heard.
   *
   * @param isAtEnd whether they have no more than was read
   * @return whether the topic must be {@linkplain #readAnew read anew}, since its reader was
   *     behind, or cut off, for so long that a deletion may be forgotten by now
   */
  public boolean mayMissDeletions(boolean isAtEnd) {
    // Read once: a machine may be suspended between any two steps.
    long now = epochMillis.getAsLong();
    boolean isTooLong = now - upToDateMillis > MOST_BEHIND.toMillis();
    if (isAtEnd && !isTooLong) {
      upToDateMillis = now;
    }
    return isTooLong;
  }

  private RuleReading reading() {
    RuleReading read = anew;
    return read == null ? inForce : read;
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
    Optional<UnreadRule> unread = reading().apply(key, record, wire);
    return anew == null ? unread : unread.filter(each -> !inForce.hasUnread(each));
  }

  private void learn(String key, ConsumerRecord<byte[], byte[]> record, Wire wire) {
    if (record.value() != null) {
      wire.learn(key, record.value());
      announced.add(key);
      retry(wire, each -> true);
    }
  }

  /** Tries again to read records for which a schema registry did not answer. */
  public void retry(Wire wire) {
    retry(wire, UnreadRule::isRetriable);
  }

  private void retry(Wire wire, Predicate<UnreadRule> which) {
    inForce.retry(wire, which);
    if (anew != null) {
      anew.retry(wire, which);
    }
  }

  public Optional<PrefixInfo> prefix() {
    return Optional.ofNullable(reading().prefix());
  }

  /** The rules in force, if they, or the unreadable records, changed since the last call. */
  public Optional<RuleSet> takeChange() {
    return inForce.takeChange() ? Optional.of(rules()) : Optional.empty();
  }

  /** The rules in force. */
  public RuleSet rules() {
    return inForce.rules();
  }

  /** Unreadable records, by key. */
  public SortedMap<String, UnreadRule> unreadable() {
    return inForce.unread();
  }

  /** Whether every rule is in force in some version, the newest or the one before. */
  public boolean isComplete() {
    return inForce.unread().values().stream()
        .allMatch(each -> each.hasVersionBefore() || each.key().equals(Topics.PREFIX_KEY));
  }

  /** Whether every schema that this process writes with is announced to older processes. */
  public boolean announces(Wire wire) {
    return announced.containsAll(wire.announcements().keySet());
  }
}
