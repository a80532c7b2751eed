package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.rules.RuleFeed;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SnapshotReaderTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final long NOW = 1_700_000_000_000_000_000L;
  private static final int PARTITIONS = 4;
  private static final TopicPartition RULES = new TopicPartition("quota.rules", 0);
  private static final TopicPartition EXHAUSTED = new TopicPartition("quota.exhausted", 0);
  private static final TopicPartition MINE = mine(PARTITIONS);
  private static final PrefixInfo PREFIX = new PrefixInfo(PARTITIONS, QuotaKey.HASH_VERSION, 40);
  private static final QuotaKey KEY = QuotaKey.parse("posts/a/42");

  private final Queue<String> told = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean brokers = new AtomicBoolean(true);
  private final KafkaPresence presence =
      new KafkaPresence(List.of(new KafkaPresence.Address("kafka", 9092)), this::isThere);
  private final Queue<String> lookedAt = new ConcurrentLinkedQueue<>();
  private final RecordedBook book = new RecordedBook();
  private final AtomicLong epochMillis = new AtomicLong(NOW / 1_000_000L);
  private final RuleFeed feed = new RuleFeed("posts"::equals, RuleSet.empty(), epochMillis::get);
  private final Deque<MockConsumer<byte[], byte[]>> consumers = new ArrayDeque<>();
  private final MockConsumer<byte[], byte[]> consumer = consumer(PARTITIONS);
  private final Map<TopicPartition, Long> ends = new HashMap<>();
  private final SnapshotReader reader =
      new SnapshotReader(
          Links.instance(() -> NOW, new Told()),
          Links.consuming(this::open, presence),
          book,
          feed,
          new Heard());
  private final Thread thread = new Thread(reader, "snapshot-reader");

  /** Hears from a broker at every look. */
  private static final class HearingConsumer extends MockConsumer<byte[], byte[]> {
    private final AtomicLong received = new AtomicLong();
    private final Map<MetricName, Metric> metrics = new HashMap<>();

    HearingConsumer() {
      super("earliest");
      metric("connection-count", () -> 1.0);
      metric("incoming-byte-total", () -> (double) received.incrementAndGet());
    }

    private void metric(String name, Supplier<Object> value) {
      MetricName metricName = new MetricName(name, "consumer-metrics", "", Map.of());
      metrics.put(
          metricName,
          new Metric() {
            @Override
            public MetricName metricName() {
              return metricName;
            }

            @Override
            public Object metricValue() {
              return value.get();
            }
          });
    }

    @Override
    public synchronized Map<MetricName, ? extends Metric> metrics() {
      return metrics;
    }
  }

  /** Tells what telemetry hears. */
  private final class Told implements ClientTelemetry {
    @Override
    public void rulesChanged(int rules) {
      told.add("rules " + rules);
    }

    @Override
    public void rulesUnreadable(int rules) {
      told.add("unreadable " + rules);
    }

    @Override
    public void answered(int partition, int quotas, long loopNanos) {
      told.add("answered " + partition + " " + quotas + " " + loopNanos);
    }

    @Override
    public void failed(String what, Exception cause) {
      told.add("failed " + what);
    }
  }

  /** Tells what the client hears. */
  private final class Heard implements EnforcerListener {
    @Override
    public void answered(QuotaSnapshot snapshot) {
      told.add("snapshot " + snapshot.quotas().size());
    }

    @Override
    public void answered(DeferralAnswer answer) {
      told.add("deferral " + answer.id());
    }

    @Override
    public void rulesApplied(RuleSet rules, int maxInstances) {
      told.add("applied " + rules.rules().size() + " of " + maxInstances);
    }

    @Override
    public void rulesIncomplete() {
      told.add("incomplete");
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    reader.stop();
    thread.join(SOON.toMillis());
    assertThat(thread.isAlive()).isFalse();
  }

  private Consumer<byte[], byte[]> open() {
    return consumers.remove();
  }

  private static TopicPartition mine(int partitions) {
    return new TopicPartition("quota.snapshots", Links.IDENTITY.replyTo(partitions).partition());
  }

  private MockConsumer<byte[], byte[]> consumer(int partitions) {
    return consumer(new MockConsumer<>("earliest"), partitions);
  }

  private MockConsumer<byte[], byte[]> consumer(MockConsumer<byte[], byte[]> made, int partitions) {
    made.updateBeginningOffsets(Map.of(RULES, 0L, EXHAUSTED, 0L, mine(partitions), 0L));
    made.updateEndOffsets(Map.of(RULES, 0L, EXHAUSTED, 0L, mine(partitions), 0L));
    Node broker = new Node(1, "kafka-1", 9092);
    made.updatePartitions(
        "quota.snapshots",
        IntStream.range(0, partitions)
            .mapToObj(
                i ->
                    new PartitionInfo(
                        "quota.snapshots", i, broker, new Node[] {broker}, new Node[] {broker}))
            .toList());
    consumers.add(made);
    return made;
  }

  /** The topic holds the records when it is read first. */
  private void holds(TopicPartition partition, byte[] key, byte[] value) {
    append(consumer, partition, key, value);
  }

  private void append(
      MockConsumer<byte[], byte[]> to, TopicPartition partition, byte[] key, byte[] value) {
    long offset = ends.merge(partition, 1L, Long::sum) - 1;
    to.updateEndOffsets(Map.of(partition, offset + 1));
    to.schedulePollTask(
        () ->
            to.addRecord(
                new ConsumerRecord<>(
                    partition.topic(), partition.partition(), offset, key, value)));
  }

  private static Rule rule(String id, long version) {
    return Rule.of(new RuleId("posts", id), List.of("user"), new FixedWindow(10, 1_000_000_000L))
        .withVersion(version, 1);
  }

  private void holdsRule(Rule rule) {
    holds(RULES, utf8(rule.id().toString()), Links.WIRE.encode(rule, 1));
  }

  private void holdsPrefix() {
    holds(RULES, utf8(Topics.PREFIX_KEY), Links.WIRE.encode(PREFIX, 1));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] snapshot(int quotas) {
    List<QuotaAnswer> answers = new ArrayList<>();
    for (int i = 0; i < quotas; i++) {
      answers.add(
          new QuotaAnswer(
              QuotaKey.parse("posts/a/" + i),
              1,
              10,
              0,
              10,
              0,
              0,
              0,
              DeclaredBound.NOTHING,
              false,
              List.of(),
              List.of()));
    }
    return Links.WIRE.encode(new QuotaSnapshot("shop-1", 7, 3, NOW - 9, NOW, answers));
  }

  private static byte[] unknownSchema(byte[] value) {
    byte[] changed = value.clone();
    changed[4] ^= 1; // of the fingerprint
    return changed;
  }

  private void awaitTold(String what) {
    await().atMost(SOON).until(() -> told.contains(what));
  }

  private boolean areRulesLoaded() throws InterruptedException {
    return reader.rulesLoaded().await(SOON.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Test
  void rules_comeIntoForceTogether_onceAllThatThereWereAreRead() throws InterruptedException {
    for (String id : List.of("a", "b", "c")) {
      holdsRule(rule(id, 1));
    }
    holdsPrefix();
    thread.start();

    assertThat(areRulesLoaded()).isTrue();
    assertThat(told).containsExactly("applied 3 of 40", "rules 3");
    assertThat(book.rules()).extracting(each -> each.rules().size()).containsExactly(3);
    assertThat(book.prefix()).containsExactly(PREFIX);
    assertThat(reader.rulesMissing()).isEmpty();
    assertThat(reader.isInTouch()).isTrue();
  }

  @Test
  void rules_withoutThePrefix_areInForce_butTheStartIsNotOver() {
    holdsRule(rule("a", 1));
    thread.start();

    awaitTold("rules 1");
    assertThat(reader.rulesLoaded().getCount()).isEqualTo(1);
    assertThat(reader.rulesMissing()).isEmpty();
    assertThat(told).contains("applied 1 of 0");

    holdsPrefix();
    await().atMost(SOON).until(() -> reader.rulesLoaded().getCount() == 0);
  }

  @Test
  void rule_thatChanges_isTold_andOneThatIsDeletedToo() {
    holdsRule(rule("a", 1));
    holdsPrefix();
    thread.start();
    awaitTold("rules 1");

    holdsRule(rule("b", 1));
    awaitTold("rules 2");
    holds(RULES, utf8("posts/a"), null);
    holds(RULES, utf8("posts/b"), null);
    awaitTold("rules 0");
  }

  @Test
  void rules_notReadYet_saySo() {
    assertThat(reader.rulesMissing()).contains("the rules are being read");
    assertThat(reader.isInTouch()).isFalse();
    assertThat(reader.unreadable()).isEmpty();
  }

  @Test
  void rule_unreadableFromTheFirst_isIncompleteUntilItCanBeRead() {
    holdsRule(rule("a", 1));
    holds(RULES, utf8("posts/b"), unknownSchema(Links.WIRE.encode(rule("b", 1), 1)));
    holdsPrefix();
    thread.start();

    awaitTold("incomplete");
    assertThat(told).contains("unreadable 1", "failed read quota.rules");
    assertThat(reader.unreadable()).containsOnlyKeys("posts/b");
    assertThat(reader.isInTouch()).isFalse();
    assertThat(reader.rulesLoaded().getCount()).as("not all are in force").isEqualTo(1);

    holdsRule(rule("b", 2));
    awaitTold("applied 2 of 40");
    assertThat(told).contains("unreadable 0");
    await().atMost(SOON).until(reader::isInTouch);
  }

  @Test
  void snapshot_forThisEpoch_isApplied_andOthersArePassedOver() {
    holdsPrefix();
    thread.start();
    await().atMost(SOON).until(() -> reader.rulesLoaded().getCount() == 0);

    holds(MINE, Identity.snapshotKey("shop-2", 7), snapshot(1));
    holds(MINE, Identity.snapshotKey("shop-1", 8), snapshot(2));
    holds(MINE, Identity.snapshotKey("shop-1", 7), snapshot(3));

    awaitTold("snapshot 3");
    assertThat(told).contains("answered 3 3 9").doesNotContain("snapshot 1", "snapshot 2");
    assertThat(book.snapshots()).hasSize(1);
  }

  @Test
  void deferralAnswer_isHandedOn_andIsNoSnapshot() {
    holdsPrefix();
    thread.start();
    await().atMost(SOON).until(() -> reader.rulesLoaded().getCount() == 0);

    DeferralAnswer answer =
        new DeferralAnswer(
            "shop-1", 7, "mail-1", KEY.toString(), DeferralAnswer.Verdict.ACCEPTED, "", 0, 1);
    holds(MINE, Identity.snapshotKey("shop-1", 7), Links.WIRE.encode(answer));

    awaitTold("deferral mail-1");
    assertThat(book.snapshots()).isEmpty();
  }

  @Test
  void exhaustedKeys_areKnownBeforeAnyRuleIsInForce_andTombstonesChangeNothing() {
    ExhaustedQuota quota = new ExhaustedQuota(1, NOW + 5, 0, 0);
    holdsRule(rule("a", 1));
    holds(EXHAUSTED, utf8(KEY.toString()), Links.WIRE.encode(quota));
    holds(EXHAUSTED, utf8("posts/a/43"), null);
    holdsPrefix();
    thread.start();

    awaitTold("rules 1");
    assertThat(book.applied()).containsSubsequence("exhausted posts/a/42", "rules");
    assertThat(book.applied()).doesNotContain("exhausted posts/a/43");
  }

  @Test
  void record_thatIsNone_isSkippedAndTold_andTheNextIsRead() {
    holdsPrefix();
    thread.start();
    await().atMost(SOON).until(() -> reader.rulesLoaded().getCount() == 0);

    holds(MINE, Identity.snapshotKey("shop-1", 7), new byte[] {9, 9, 9});
    holds(EXHAUSTED, utf8("no key"), new byte[] {1});
    holds(MINE, Identity.snapshotKey("shop-1", 7), snapshot(1));

    awaitTold("snapshot 1");
    assertThat(told).contains("failed read quota.snapshots", "failed read quota.exhausted");
  }

  @Test
  void prefix_thatSaysOtherPartitionsThanTheTopicHad_movesToThose() {
    consumers.clear();
    MockConsumer<byte[], byte[]> other = consumer(16);
    TopicPartition moved = mine(PARTITIONS);
    assertThat(moved).isNotEqualTo(mine(16));
    other.updateBeginningOffsets(Map.of(moved, 0L));
    other.updateEndOffsets(Map.of(moved, 0L));
    append(other, RULES, utf8(Topics.PREFIX_KEY), Links.WIRE.encode(PREFIX, 1));
    thread.start();

    await().atMost(SOON).until(() -> reader.rulesLoaded().getCount() == 0);
    assertThat(other.assignment()).containsExactlyInAnyOrder(RULES, EXHAUSTED, moved);
  }

  @Test
  void consumer_thatFails_isClosedAndReplaced_andReadsFromTheBeginning() {
    MockConsumer<byte[], byte[]> second = consumer(PARTITIONS);
    consumer.schedulePollTask(() -> consumer.setPollException(new KafkaException("broken")));
    append(second, RULES, utf8("posts/a"), Links.WIRE.encode(rule("a", 1), 1));
    thread.start();

    awaitTold("rules 1");
    assertThat(told).contains("failed read snapshots");
    assertThat(consumer.closed()).isTrue();
    assertThat(second.closed()).isFalse();
  }

  @Test
  void consumer_thatEndsInAnError_isReplacedToo() {
    MockConsumer<byte[], byte[]> second = consumer(PARTITIONS);
    consumer.schedulePollTask(
        () -> {
          throw new NoSuchMethodError("of another version");
        });
    append(second, RULES, utf8("posts/a"), Links.WIRE.encode(rule("a", 1), 1));
    thread.start();

    awaitTold("rules 1");
    assertThat(told).contains("failed read snapshots");
    assertThat(consumer.closed()).isTrue();
  }

  /** Brokers have forgotten the deletion: the topic holds neither the rule nor that it is gone. */
  @Test
  void ruleThatWasDeleted_whileKafkaWasAwayForADay_isGone() {
    consumers.clear();
    MockConsumer<byte[], byte[]> first = consumer(new HearingConsumer(), PARTITIONS);
    append(first, RULES, utf8("posts/a"), Links.WIRE.encode(rule("a", 1), 1));
    append(first, RULES, utf8("posts/b"), Links.WIRE.encode(rule("b", 1), 1));
    thread.start();
    awaitTold("rules 2");

    ends.clear();
    MockConsumer<byte[], byte[]> second = consumer(new HearingConsumer(), PARTITIONS);
    append(second, RULES, utf8("posts/b"), Links.WIRE.encode(rule("b", 1), 1));
    epochMillis.addAndGet(Duration.ofHours(25).toMillis());

    awaitTold("rules 1");
    assertThat(feed.rules().rules()).containsExactly(rule("b", 1));
    assertThat(first.closed()).isTrue();
    assertThat(second.closed()).isFalse();
  }

  @Test
  void kafka_away_opensNoConsumer_andSaysWhereItLooked() {
    brokers.set(false);
    thread.start();
    await().atMost(SOON).until(presence::isAway);

    assertThat(reader.rulesMissing()).contains("Kafka cannot be reached at [kafka:9092]");
    await().during(Duration.ofMillis(150)).until(() -> consumers.size() == 1);

    holdsPrefix();
    brokers.set(true);
    await().atMost(SOON).until(() -> reader.rulesLoaded().getCount() == 0);
  }

  @Test
  void stop_whileKafkaIsAway_endsTheThread() throws InterruptedException {
    brokers.set(false);
    thread.start();
    await().atMost(SOON).until(presence::isAway);

    reader.stop();

    thread.join(SOON.toMillis());
    assertThat(thread.isAlive()).isFalse();
    assertThat(consumers).hasSize(1);
  }

  @Test
  void brokers_ofTheTopic_areLookedForBesideTheFirstOnes() {
    holdsPrefix();
    thread.start();
    await().atMost(SOON).until(() -> reader.rulesLoaded().getCount() == 0);
    brokers.set(false);
    lookedAt.clear();

    assertThat(presence.look()).isTrue();

    assertThat(lookedAt).contains("kafka-1:9092", "kafka:9092");
  }

  private boolean isThere(KafkaPresence.Address address) {
    lookedAt.add(address.toString());
    return brokers.get();
  }
}
