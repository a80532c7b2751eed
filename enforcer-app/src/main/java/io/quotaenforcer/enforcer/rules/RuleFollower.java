package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.consumer.ConsumerThread;
import io.quotaenforcer.schemas.rules.RuleFeed;
import io.quotaenforcer.schemas.rules.UnreadRule;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.lifecycle.Trouble;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The enforcer's thread that follows the rules topic, and passes on every change. */
public final class RuleFollower implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RuleFollower.class);
  private static final Duration POLL = Duration.ofMillis(100);

  /** A consumer does not say that it is cut off: it has nothing new to tell, as at most times. */
  private static final Duration ASK_EVERY = Duration.ofMinutes(1);

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(1);

  /** Told of every change, by the thread that follows the rules. */
  @FunctionalInterface
  public interface Listener {
    void inForce(RuleSet rules);
  }

  private final Wire wire;
  private final Listener onChange;
  private final RuleFeed feed;
  private final LongSupplier epochMillis;
  private final CountDownLatch loaded = new CountDownLatch(1);
  private final Trouble trouble = new Trouble(log, "cannot follow the rules; those in force stay");
  private final ConsumerThread thread;
  private volatile SortedMap<String, UnreadRule> unreadable = new TreeMap<>();

  /**
   * @param properties of the consumer
   */
  public RuleFollower(Wire wire, Map<String, Object> properties, Listener onChange) {
    this(wire, () -> consumer(properties), onChange, System::currentTimeMillis);
  }

  /**
   * @param epochMillis wall clock
   */
  RuleFollower(
      Wire wire,
      Supplier<Consumer<byte[], byte[]>> consumers,
      Listener onChange,
      LongSupplier epochMillis) {
    this.wire = wire;
    this.onChange = onChange;
    this.epochMillis = epochMillis;
    this.feed = new RuleFeed(domain -> true, RuleSet.empty(), epochMillis);
    this.thread = new ConsumerThread("quota-rules", consumers, trouble, this::follow);
  }

  private static Consumer<byte[], byte[]> consumer(Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    // Publications that were given up do not count.
    all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return ConsumerThread.ofBytes(all);
  }

  public void start() {
    thread.start();
  }

  /**
   * Waits until everything published before the start was passed on; false if time was up. Rules
   * that a process of another version can read must be readable here as well: requests waiting for
   * an unknown rule would be taken for leftovers of a deleted one.
   */
  public boolean awaitLoaded(Duration timeout) throws InterruptedException {
    return loaded.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  public boolean isLoaded() {
    return loaded.getCount() == 0;
  }

  /** Unreadable records of the rules topic, by key. */
  public SortedMap<String, UnreadRule> unreadable() {
    return unreadable;
  }

  /** Reason why the rules cannot be followed at present; empty if they can. */
  public Optional<String> trouble() {
    return trouble.now();
  }

  /**
   * Records unreadable while the schema registry is unavailable, in words; empty if there are none.
   */
  public Optional<String> waitsFor() {
    return unreadable.values().stream()
        .filter(each -> Wire.isReadableLater(each.cause()))
        .map(UnreadRule::toString)
        .findFirst();
  }

  /** The facts of the prefix; after the rules are loaded. */
  public PrefixInfo prefix() {
    return feed.prefix()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "topic %s does not say how many partitions the prefix has; run: quota topics create"
                        .formatted(wire.topics().rules().name())));
  }

  @Override
  public void close() {
    thread.close();
  }

  private void follow(Consumer<byte[], byte[]> open) {
    TopicPartition partition = new TopicPartition(wire.topics().rules().name(), 0);
    open.assign(List.of(partition));
    open.seekToBeginning(List.of(partition));
    feed.readAnew();
    long asked = epochMillis.getAsLong();
    while (!thread.isClosing()) {
      for (ConsumerRecord<byte[], byte[]> record : open.poll(POLL)) {
        apply(record);
      }
      feed.retry(wire);
      OptionalLong lag = open.currentLag(partition);
      boolean atEnd = lag.isPresent() && lag.getAsLong() == 0;
      if (lag.isPresent()) {
        trouble.end();
      }
      if (atEnd) {
        feed.atEnd();
      }
      feed.takeChange().ifPresent(this::post);
      if (atEnd && !isLoaded() && !isAwaited()) {
        loaded.countDown();
        sayUnannounced();
      }
      long since = epochMillis.getAsLong() - asked;
      if (since >= ASK_EVERY.toMillis() || since < 0) {
        asked += since;
        if (!goesOn(open, partition)) {
          return;
        }
      }
    }
  }

  /** Whether this consumer goes on; else another one reads the topic from its beginning. */
  private boolean goesOn(Consumer<byte[], byte[]> open, TopicPartition partition) {
    OptionalLong end = end(open, partition);
    if (end.isPresent() && feed.mayMissDeletions(open.position(partition) >= end.getAsLong())) {
      log.info("the rules are read anew: what was deleted may have gone unheard");
      return false;
    }
    return true;
  }

  /** Empty while brokers do not say. */
  private static OptionalLong end(Consumer<byte[], byte[]> open, TopicPartition partition) {
    try {
      Long end = open.endOffsets(List.of(partition), ANSWER_WITHIN).get(partition);
      return end == null ? OptionalLong.empty() : OptionalLong.of(end);
    } catch (TimeoutException e) {
      return OptionalLong.empty();
    }
  }

  private void post(RuleSet rules) {
    unreadable = feed.unreadable();
    onChange.inForce(rules);
  }

  /**
   * Whether some record is unreadable here but readable for others, with no earlier value under its
   * key.
   */
  private boolean isAwaited() {
    return unreadable.values().stream()
        .anyMatch(each -> !each.hasVersionBefore() && Wire.isReadableElsewhere(each.cause()));
  }

  private void sayUnannounced() {
    if (!feed.announces(wire)) {
      log.warn(
          "processes of an older version cannot read what this one writes: topic {} does not hold"
              + " its schemas; run: quota topics create",
          wire.topics().rules().name());
    }
  }

  private void tell(UnreadRule unread) {
    log.error(
        "the rule {}; {}",
        unread,
        unread.hasVersionBefore()
            ? "the version before it stays in force"
            : "no version of it is known, and nothing is granted for it");
  }

  private void apply(ConsumerRecord<byte[], byte[]> record) {
    try {
      feed.apply(record, wire).ifPresent(this::tell);
    } catch (RuntimeException | StackOverflowError e) {
      log.error(
          "passed over a record at {}-{} offset {} that is no rule: {}",
          record.topic(),
          record.partition(),
          record.offset(),
          e.toString());
    }
  }
}
