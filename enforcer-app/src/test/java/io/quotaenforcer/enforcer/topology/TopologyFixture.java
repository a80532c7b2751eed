package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.activity.ActivityBoard;
import io.quotaenforcer.enforcer.deferral.OpenBox;
import io.quotaenforcer.enforcer.deferral.SnapshotInbox;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.store.RowKind;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.enforcer.store.WindowCounts;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/**
 * The real topology with its RocksDB stores, one partition, and a clock that the test moves. No
 * broker.
 */
final class TopologyFixture implements SnapshotChannel, SnapshotInbox, AutoCloseable {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final String INSTANCE = "instance-1";
  private static final Duration STEP = Duration.ofMillis(10);

  final Wire wire = Wire.of(Topics.under("quota.", 1, Codecs.withoutRegistry()));
  final RuleBoard rules = new RuleBoard();
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final HandOver handOver = new HandOver("quota.usage");
  final ActivityBoard activity = new ActivityBoard();
  private final BeforeCommit beforeCommit = new BeforeCommit();
  private final TopologyTestDriver driver;
  private final List<byte[]> sent = new ArrayList<>();
  private final Map<ByteBuffer, OpenBox> boxes = new HashMap<>();
  private Instant now = START;
  private long commits;
  private long transactionNanos;

  TopologyFixture(Path stateFolder, Rule... inForce) {
    this(stateFolder, UnaryOperator.identity(), inForce);
  }

  TopologyFixture(Path stateFolder, UnaryOperator<TopologySettings> change, Rule... inForce) {
    rules.post(RuleSet.of(List.of(inForce)));
    TopologySettings settings =
        change.apply(TopologySettings.defaults(1, LedgerSettings.defaults(10), this::epochNanos));
    Properties properties = new Properties();
    properties.put(StreamsConfig.STATE_DIR_CONFIG, stateFolder.toString());
    driver =
        new TopologyTestDriver(
            EnforcerTopology.build(
                new Workplace(
                    wire,
                    rules,
                    settings,
                    new EnforcerMetrics(registry),
                    new FailedRecords(),
                    activity),
                this,
                this,
                handOver,
                beforeCommit),
            properties,
            START);
  }

  static Rule rule(String id, Limit limit) {
    return Rule.of(new RuleId("test", id), List.of("user"), limit).withVersion(1, 1);
  }

  static QuotaKey key(Rule rule, String user) {
    return QuotaKey.of(rule.id(), List.of(user));
  }

  TopicPartition usagePartition() {
    return new TopicPartition(wire.topics().usage().name(), 0);
  }

  Instant now() {
    return now;
  }

  long epochNanos() {
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  @Override
  public long commits() {
    return commits;
  }

  @Override
  public long transactionNanos() {
    return transactionNanos;
  }

  @Override
  public boolean isCommitDue() {
    return false;
  }

  @Override
  public void send(int partition, byte[] key, byte[] value) {
    OpenBox box = boxes.get(ByteBuffer.wrap(key));
    if (box == null) {
      sent.add(value);
    } else {
      box.add(value, epochNanos());
    }
  }

  @Override
  public Box open(byte[] snapshotKey) {
    ByteBuffer key = ByteBuffer.wrap(snapshotKey);
    OpenBox box = new OpenBox(() -> boxes.remove(key));
    boxes.put(key, box);
    return box;
  }

  /** Lets time pass in steps as a stream thread takes them, with a commit after each. */
  void run(Duration time) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      commits++;
      advance(STEP);
    }
  }

  void tell(DeferralInput input) {
    send(
        wire.topics().deferred().name(),
        "key".getBytes(StandardCharsets.UTF_8),
        wire.encode(input));
  }

  /** As an operator has a dead letter written once more. */
  void redrive(DeferredRequest request) {
    Headers headers = new RecordHeaders();
    DeadLetter.add(headers, Topics.REDRIVEN_FROM, "0-1");
    driver
        .createInputTopic(
            wire.topics().deferred().name(), new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(new byte[0], wire.encode(request.again()), headers, now));
  }

  /** As whoever may write to the topic of snapshots tells the queues of deferred requests. */
  void tellQueues(byte[] value) {
    assertThat(boxes).isNotEmpty();
    boxes.values().forEach(box -> box.add(value, epochNanos()));
  }

  /** Bytes of the largest row of a store, its key included. */
  int largestRow(String store) {
    int largest = 0;
    KeyValueStore<Bytes, byte[]> rows = driver.getKeyValueStore(store);
    try (KeyValueIterator<Bytes, byte[]> all = rows.all()) {
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> row = all.next();
        largest = Math.max(largest, row.key.get().length + row.value.length);
      }
    }
    return largest;
  }

  /** Replays released since the last call. */
  List<Replay> replays() {
    return read(wire.topics().replays().name()).stream()
        .map(record -> wire.decodeReplay(record.value()))
        .toList();
  }

  List<DeferralAnswer> deferralAnswers() {
    List<DeferralAnswer> answers = new ArrayList<>();
    sent.forEach(value -> wire.decodeAnswer(value, snapshot -> {}, answers::add));
    sent.clear();
    return answers;
  }

  /** As a stream thread does between two records: what was written is committed. */
  void commit() {
    commits++;
    driver.advanceWallClockTime(Duration.ofMillis(2));
    finishTransaction();
  }

  /** A commit that takes so long: what is read next comes after it. */
  void commitFor(Duration time) {
    finishTransaction();
    now = now.plus(time);
    transactionNanos = time.toNanos();
    commits++;
    driver.advanceWallClockTime(Duration.ofMillis(2));
  }

  void advance(Duration time) {
    now = now.plus(time);
    driver.advanceWallClockTime(time);
    finishTransaction();
  }

  /** As the producer of a stream thread does; what is sent then is read in the next one. */
  private void finishTransaction() {
    List<Runnable> sentThen = new ArrayList<>();
    beforeCommit.finish(
        (topic, partition, key, value) -> sentThen.add(() -> pipe(topic, key, value)));
    sentThen.forEach(Runnable::run);
    beforeCommit.finish(
        (topic, partition, key, value) -> {
          throw new IllegalStateException("nothing is left to send: topic=" + topic);
        });
  }

  /** Sends a report of one quota key by an instance. */
  void report(String instance, QuotaKey key, double demand, CellUsage... cells) {
    QuotaUsage usage = new QuotaUsage(key, 1, demand, 0, List.of(cells));
    send(
        wire.topics().usage().name(),
        instance.getBytes(StandardCharsets.UTF_8),
        wire.encode(new UsageReport(instance, 1, epochNanos(), 0, 0, List.of(usage))));
  }

  /** Gives a quota key a limit by data; empty takes it back. */
  void entitle(QuotaKey key, Optional<Entitlement> entitlement) {
    send(
        wire.topics().entitlements().name(),
        key.toString().getBytes(StandardCharsets.UTF_8),
        entitlement.map(wire::encode).orElse(null));
  }

  /** Says how much of a rule's limits is in force, as the topic has it. */
  void tell(RuleId rule, LimitInForce inForce) {
    send(
        wire.topics().limitsInForce().name(),
        rule.toString().getBytes(StandardCharsets.UTF_8),
        wire.encode(inForce));
  }

  /** The records of limits in force since the last call that asked for any. */
  List<TestRecord<byte[], byte[]>> limitRecords() {
    return read(wire.topics().limitsInForce().name());
  }

  /** How much of a rule's limits is in force; empty where nothing is said of it. */
  Optional<LimitInForce> limitsInForce(RuleId rule) {
    KeyValueStore<Bytes, byte[]> rows = driver.getKeyValueStore(Stores.LIMITS_IN_FORCE);
    return Optional.ofNullable(
            rows.get(Bytes.wrap(rule.toString().getBytes(StandardCharsets.UTF_8))))
        .map(wire::decodeLimitInForce);
  }

  void emit(RequestEvent event) {
    send(
        wire.topics().requestEvents().name(),
        event.id().getBytes(StandardCharsets.UTF_8),
        wire.encode(event));
  }

  /** Sends request events that are read in one transaction. */
  void emitTogether(List<byte[]> events) {
    events.forEach(event -> pipe(wire.topics().requestEvents().name(), null, event));
    finishTransaction();
  }

  void send(String topic, byte[] key, byte @Nullable [] value) {
    pipe(topic, key, value);
    finishTransaction();
  }

  /** Sends a record with a time stamp of its own. */
  void sendAt(Instant time, String topic, byte[] value) {
    driver
        .createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(null, value, time);
    finishTransaction();
  }

  private void pipe(String topic, byte[] key, byte @Nullable [] value) {
    driver
        .createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(key, value, now);
  }

  List<QuotaSnapshot> snapshots() {
    List<QuotaSnapshot> snapshots = new ArrayList<>();
    sent.forEach(value -> snapshots.add(wire.decodeSnapshot(value)));
    sent.clear();
    return snapshots;
  }

  List<String> exhaustedKeys() {
    return read(wire.topics().exhausted().name()).stream()
        .map(record -> new String(record.key(), StandardCharsets.UTF_8))
        .toList();
  }

  /** What was told to all instances since the last call, in order. */
  List<KeyValue<QuotaKey, ExhaustedQuota>> announced() {
    return read(wire.topics().exhausted().name()).stream()
        .map(
            record ->
                KeyValue.pair(
                    QuotaKey.parse(new String(record.key(), StandardCharsets.UTF_8)),
                    wire.decodeExhausted(record.value())))
        .toList();
  }

  /** The records that were put aside. */
  List<TestRecord<byte[], byte[]>> letters() {
    return read(wire.topics().deadLetters().name());
  }

  /** The reasons of the records that were put aside. */
  List<String> deadLetters() {
    return letters().stream()
        .map(
            record ->
                new String(record.headers().lastHeader("reason").value(), StandardCharsets.UTF_8))
        .toList();
  }

  /** Permits counted per quota key, all windows together. */
  Map<QuotaKey, Long> counted() {
    Map<QuotaKey, Long> used = new HashMap<>();
    WindowCounts.all(driver.<Bytes, byte[]>getKeyValueStore(Stores.LEDGER))
        .forEach(
            (key, windows) -> windows.forEach(count -> used.merge(key, count.used(), Long::sum)));
    return used;
  }

  /** The rows of the ledger's store, as its changelog has them. */
  Map<Bytes, byte[]> ledgerStore() {
    Map<Bytes, byte[]> rows = new HashMap<>();
    try (KeyValueIterator<Bytes, byte[]> all =
        driver.<Bytes, byte[]>getKeyValueStore(Stores.LEDGER).all()) {
      all.forEachRemaining(row -> rows.put(row.key, row.value));
    }
    return rows;
  }

  /** As a successor that restores the ledger's store from its changelog. */
  void restore(Map<Bytes, byte[]> rows) {
    KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(Stores.LEDGER);
    rows.forEach(store::put);
  }

  /** Ledgers in the store. */
  int ledgerRows() {
    int rows = 0;
    try (KeyValueIterator<Bytes, byte[]> all = rows(RowKind.LEDGER)) {
      while (all.hasNext()) {
        all.next();
        rows++;
      }
    }
    return rows;
  }

  /** As a store that was damaged: the queues go by requests that are not there. */
  void loseDeferredRequests() {
    KeyValueStore<Bytes, byte[]> requests = driver.getKeyValueStore(Stores.DEFERRED_REQUESTS);
    try (KeyValueIterator<Bytes, byte[]> all = requests.all()) {
      while (all.hasNext()) {
        requests.delete(all.next().key);
      }
    }
  }

  private KeyValueIterator<Bytes, byte[]> rows(RowKind kind) {
    return driver
        .<Bytes, byte[]>getKeyValueStore(Stores.LEDGER)
        .range(kind.key(new byte[0]), kind.end());
  }

  private List<TestRecord<byte[], byte[]>> read(String topic) {
    return driver
        .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  @Override
  public void close() {
    driver.close();
  }
}
