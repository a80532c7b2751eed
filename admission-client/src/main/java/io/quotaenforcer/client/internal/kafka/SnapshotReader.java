package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.client.internal.Consumers;
import io.quotaenforcer.client.internal.Failures;
import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.allotment.InstanceBook;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.rules.RuleFeed;
import io.quotaenforcer.schemas.rules.UnreadRule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the rules, the exhausted keys and this instance's snapshots, and applies them to the book.
 * Run by one thread; {@link #stop} may be called by another.
 */
final class SnapshotReader implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(SnapshotReader.class);

  /** Until the rules are there: what comes along with them is looked at after a poll. */
  private static final Duration FIRST_POLLS = Duration.ofMillis(100);

  /** Kafka is looked for as soon as this if nothing comes from it. */
  private static final Duration POLL = Duration.ofMillis(500);

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration EXPECT_TIMEOUT = Duration.ofSeconds(5);
  private static final long RETRY_MILLIS = 1_000;

  /**
   * A consumer that hears nothing although brokers take connections gives way to another after so
   * long: all that it knows may be gone. Longer each time, since brokers may also stand still.
   */
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private static final long LONGEST_PATIENCE_NANOS = 20 * PATIENCE_NANOS;

  private final Instance instance;
  private final KafkaLink link;
  private final InstanceBook book;
  private final RuleFeed feed;
  private final EnforcerListener listener;
  private final LookPause lookPause = new LookPause();
  private final UnreadableLog unreadableLog = new UnreadableLog(log);
  private final byte[] snapshotKey;
  private final CountDownLatch rulesLoaded = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile @Nullable Consumer<byte[], byte[]> consumer;
  private long patienceNanos = PATIENCE_NANOS;
  private volatile boolean stopping;
  private volatile boolean rulesKnown;
  private volatile boolean feedIsComplete;
  private boolean rulesApplied;
  private volatile SortedMap<String, UnreadRule> unreadable = new TreeMap<>();
  private volatile @Nullable RuntimeException trouble;

  SnapshotReader(
      Instance instance,
      KafkaLink link,
      InstanceBook book,
      RuleFeed feed,
      EnforcerListener listener) {
    this.instance = instance;
    this.link = link;
    this.book = book;
    this.feed = feed;
    this.listener = listener;
    this.snapshotKey = instance.identity().snapshotKey();
  }

  /** Counted down once every rule that was published before the start is in force. */
  CountDownLatch rulesLoaded() {
    return rulesLoaded;
  }

  /** The records of the rules topic that cannot be read, by their keys. */
  SortedMap<String, UnreadRule> unreadable() {
    return unreadable;
  }

  /** Why the rules are not in force; empty when they are. */
  Optional<String> rulesMissing() {
    RuntimeException failure = trouble;
    if (rulesKnown) {
      return Optional.empty();
    }
    return Optional.of(
        link.presence().isAway()
            ? "Kafka cannot be reached at " + link.presence().servers()
            : failure != null
                ? "the rules cannot be read: " + failure
                : "the rules are being read");
  }

  boolean isInTouch() {
    return rulesKnown && feedIsComplete && trouble == null && !link.presence().isAway();
  }

  void stop() {
    stopping = true;
    stopped.countDown();
    Consumer<byte[], byte[]> open = consumer;
    if (open != null) {
      open.wakeup();
    }
  }

  @Override
  public void run() {
    while (!stopping) {
      Consumer<byte[], byte[]> open = null;
      try {
        if (!awaitKafka()) {
          return;
        }
        open = link.consumers().get();
        consumer = open;
        read(open);
      } catch (WakeupException e) {
        // stop() was called.
      } catch (RuntimeException | Error e) {
        // Errors, too: nobody else does this thread's work.
        failed(Failures.asException(e));
        pause(RETRY_MILLIS);
      } finally {
        consumer = null;
        close(open);
      }
    }
  }

  private static void close(@Nullable Consumer<byte[], byte[]> open) {
    if (open != null) {
      try {
        Consumers.close(open, CLOSE_TIMEOUT);
      } catch (RuntimeException | Error e) {
        log.debug("cannot close a consumer", e);
      }
    }
  }

  /** Like {@link #awaitKafka}; false also if this consumer is not to be asked any more. */
  private boolean awaitKafka(ConsumerPulse pulse) {
    if (!link.presence().look()) {
      boolean goesOn = !pulse.isSilentFor(patienceNanos);
      patienceNanos = goesOn ? patienceNanos : Math.min(2 * patienceNanos, LONGEST_PATIENCE_NANOS);
      return goesOn;
    }
    boolean goesOn = awaitKafka();
    pulse.heard();
    return goesOn;
  }

  /** Looks for Kafka until it is there; false if it is to stop first. */
  private boolean awaitKafka() {
    lookPause.reset();
    while (!stopping && link.presence().look()) {
      pause(lookPause.nextMillis());
    }
    return !stopping;
  }

  private void read(Consumer<byte[], byte[]> open) {
    TopicPartition rules = new TopicPartition(link.wire().topics().rules().name(), 0);
    TopicPartition exhausted = new TopicPartition(link.wire().topics().exhausted().name(), 0);
    Optional<TopicPartition> expected = expectedSnapshots(open);
    open.assign(Stream.concat(Stream.of(rules, exhausted), expected.stream()).toList());
    open.seekToBeginning(List.of(rules, exhausted));
    feed.readAnew();
    expected.ifPresent(snapshots -> awaitEnd(open, snapshots));
    ConsumerPulse pulse = new ConsumerPulse(open, link.fetchWait());
    boolean following = false;
    boolean allRead = false;
    while (!stopping) {
      for (ConsumerRecord<byte[], byte[]> record : open.poll(pollTime())) {
        apply(record);
      }
      feed.retry(link.wire());
      // No key is opened before it is known which are used up or abused.
      allRead = allRead || (isAtEnd(open, rules) && isAtEnd(open, exhausted));
      if (allRead) {
        feed.atEnd();
        applyRules();
      }
      Optional<PrefixInfo> prefix = feed.prefix();
      if (!following && prefix.isPresent()) {
        following = true;
        TopicPartition snapshots = snapshots(prefix.get().partitions());
        if (!expected.equals(Optional.of(snapshots))) {
          open.assign(List.of(rules, exhausted, snapshots));
          awaitEnd(open, snapshots);
        }
        book.applyPrefix(prefix.get(), instance.now());
      }
      if (rulesLoaded.getCount() > 0 && feedIsComplete && prefix.isPresent()) {
        rulesLoaded.countDown();
      }
      if (pulse.isSilent()) {
        if (!awaitKafka(pulse)) {
          return;
        }
      } else if (pulse.hasHeard()) {
        boolean hasAll = isAtEnd(open, rules);
        if (feed.mayMissDeletions(hasAll)) {
          // The next consumer reads from the beginning.
          return;
        }
        patienceNanos = PATIENCE_NANOS;
        if (hasAll) {
          tellRulesHeard();
        }
      }
    }
  }

  /**
   * All rules of the topic come into force at once: to decide by some of them would admit what
   * others throttle.
   */
  private void applyRules() {
    Optional<RuleSet> changed = feed.takeChange();
    if (changed.isEmpty() && rulesApplied) {
      return;
    }
    if (!rulesApplied && !feed.announces(link.wire())) {
      log.warn(
          "an enforcer of an older version cannot read what this client writes: topic {} does not"
              + " hold its schemas; run: quota topics create",
          link.wire().topics().rules().name());
    }
    rulesApplied = true;
    RuleSet rules = changed.orElseGet(feed::rules);
    feedIsComplete = feed.isComplete();
    tellUnreadable();
    if (feedIsComplete) {
      book.applyRules(rules, instance.now());
      rulesKnown = true;
      listener.rulesApplied(rules, feed.prefix().map(PrefixInfo::maxInstances).orElse(0));
    } else {
      rulesKnown = book.applyIncomplete(rules, instance.now());
      listener.rulesIncomplete();
    }
    instance.telemetry().rulesChanged(rulesKnown ? rules.rules().size() : 0);
  }

  /** Brokers have just been heard, and have no other rules. */
  private void tellRulesHeard() {
    if (rulesKnown && feedIsComplete) {
      book.rulesHeard(instance.now());
    }
  }

  private void tellUnreadable() {
    SortedMap<String, UnreadRule> before = unreadable;
    unreadable = feed.unreadable();
    if (!before.isEmpty() || !unreadable.isEmpty()) {
      instance.telemetry().rulesUnreadable(unreadable.size());
    }
    if (!before.isEmpty() && unreadable.isEmpty()) {
      log.info("all rules can be read again");
    }
  }

  private Duration pollTime() {
    return rulesLoaded.getCount() > 0 ? FIRST_POLLS : POLL;
  }

  /**
   * The partition that the prefix will say, as the topic has it now; empty while there is none, or
   * no Kafka. Asked first: once records are read, a question waits behind a fetch that waits for
   * more of them.
   */
  private Optional<TopicPartition> expectedSnapshots(Consumer<byte[], byte[]> open) {
    try {
      List<PartitionInfo> found =
          open.partitionsFor(link.wire().topics().snapshots().name(), EXPECT_TIMEOUT);
      link.presence()
          .learn(
              found.stream().flatMap(each -> Arrays.stream(each.replicas())).distinct().toList());
      int partitions = found.size();
      return partitions == 0 ? Optional.empty() : Optional.of(snapshots(partitions));
    } catch (TimeoutException e) {
      return Optional.empty();
    }
  }

  private TopicPartition snapshots(int partitions) {
    return new TopicPartition(
        link.wire().topics().snapshots().name(), instance.identity().replyPartition(partitions));
  }

  /** Answers to reports that are sent before the position is known would be missed. */
  private static void awaitEnd(Consumer<byte[], byte[]> open, TopicPartition snapshots) {
    open.seekToEnd(List.of(snapshots));
    open.position(snapshots, EXPECT_TIMEOUT);
  }

  private void apply(ConsumerRecord<byte[], byte[]> record) {
    trouble = null;
    try {
      if (record.topic().equals(link.wire().topics().snapshots().name())) {
        if (Arrays.equals(record.key(), snapshotKey)) {
          link.wire().decodeAnswer(record.value(), this::applySnapshot, listener::answered);
        }
      } else if (record.topic().equals(link.wire().topics().rules().name())) {
        feed.apply(record, link.wire()).ifPresent(this::tell);
      } else if (record.value() != null) {
        book.applyExhausted(
            QuotaKey.parse(new String(record.key(), StandardCharsets.UTF_8)),
            link.wire().decodeExhausted(record.value()),
            instance.now());
      }
    } catch (RuntimeException e) {
      instance.telemetry().failed("read " + record.topic(), e);
      unreadableLog.skipped(record, e, instance.now());
    }
  }

  private void tell(UnreadRule unread) {
    instance.telemetry().failed("read " + unread.record().topic(), unread.cause());
    log.error(
        "the rule {}; {}",
        unread,
        unread.hasVersionBefore()
            ? "the version before it stays in force"
            : "no version of it is known: what it may match is decided by before.rules");
  }

  private void applySnapshot(QuotaSnapshot snapshot) {
    long now = instance.now();
    book.applySnapshot(snapshot, now);
    instance
        .telemetry()
        .answered(
            snapshot.usagePartition(), snapshot.quotas().size(), now - snapshot.echoSentNanos());
    listener.answered(snapshot);
  }

  private static boolean isAtEnd(Consumer<byte[], byte[]> open, TopicPartition partition) {
    OptionalLong lag = open.currentLag(partition);
    return lag.isPresent() && lag.getAsLong() == 0;
  }

  private void failed(RuntimeException e) {
    instance.telemetry().failed("read snapshots", e);
    // That Kafka is away is said once.
    if (trouble == null && !link.presence().look()) {
      log.warn(
          "cannot read rules and snapshots; rules decide by on-unavailable until it works again:"
              + " {}",
          e.toString());
    }
    trouble = e;
  }

  private void pause(long millis) {
    try {
      if (stopped.await(millis, TimeUnit.MILLISECONDS)) {
        stopping = true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopping = true;
    }
  }
}
