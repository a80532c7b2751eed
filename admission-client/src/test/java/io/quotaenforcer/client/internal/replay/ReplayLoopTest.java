package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplayLoopTest {
  private static final TopicPartition P0 = new TopicPartition("quota.replays", 0);
  private static final TopicPartition P1 = new TopicPartition("quota.replays", 1);
  private static final Set<TopicPartition> BOTH = Set.of(P0, P1);
  private static final ReplayGroup POSTS = new ReplayGroup("quota.replays-posts", "posts"::equals);

  private final Wire wire = Wire.of("quota.", Codecs.from(Map.of()));
  private final List<String> handled = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final Map<String, CompletableFuture<Boolean>> answers = new HashMap<>();
  private final Deque<Runnable> threads = new ArrayDeque<>();
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private long now;
  private final Clocks clocks = new Clocks(() -> now, () -> now);
  private final ClientTelemetry telemetry =
      new ClientTelemetry() {
        @Override
        public void failed(String what, Exception cause) {
          failures.add(what);
        }
      };
  private volatile boolean kafkaAway;
  private final Instance instance = new Instance(new Identity("i", 1), clocks, telemetry);
  private final ReplayDesk desk =
      new ReplayDesk(
          (replay, maxWait) -> CompletableFuture.completedFuture(new Decision.Unmatched()),
          replay -> answers.computeIfAbsent(replay.id(), id -> new CompletableFuture<>()),
          result -> CompletableFuture.completedFuture(null));
  private final ReplaySetup setup = setup(group -> consumer);
  private final ReplayDispatcher dispatcher =
      new ReplayDispatcher(
          new GuardedHandler(
              replay -> {
                handled.add(replay.id());
                return ReplayOutcome.done();
              },
              10,
              () -> 0),
          ReplayOptions.DEFAULTS.maxWaitForOtherRules(),
          desk,
          instance,
          new Workers(8, threads::add),
          new Backlog.Limits(2, 100, 1_000_000));
  private final ReplayLoop loop = new ReplayLoop(setup, POSTS, dispatcher);

  private ReplaySetup setup(Function<ReplayGroup, Consumer<byte[], byte[]>> consumers) {
    ReplayKafka kafka = new ReplayKafka(wire, consumers, () -> kafkaAway);
    return new ReplaySetup(instance, List.of(POSTS), kafka, desk, Duration.ZERO);
  }

  @BeforeEach
  void join() {
    loop.join(consumer);
    consumer.updateBeginningOffsets(Map.of(P0, 0L, P1, 0L));
    consumer.updateEndOffsets(Map.of(P0, 0L, P1, 0L));
    consumer.rebalance(BOTH);
    loop.turn(consumer);
  }

  @Test
  void replays_thatAGroupWithoutOffsetFinds_areHandledUnlessTheyAreAcknowledged() {
    findsOld(3);
    append(P1, 0, "b1", "posts");
    append(P1, 1, "b2", "posts");
    turnAndRun();
    assertThat(handled).isEmpty();
    assertThat(answers).containsOnlyKeys("b1", "b2");

    answers.get("b2").complete(false);
    answers.get("b1").complete(true);
    turnAndRun();
    append(P1, 2, "b3", "posts");
    append(P1, 3, "b4", "posts");
    turnAndRun();
    answers.get("b3").complete(true);
    turnAndRun();

    assertThat(handled).containsExactly("b2", "b4");
    assertThat(answers).containsOnlyKeys("b1", "b2", "b3");
    loop.leave(consumer);
    assertThat(committed(P1)).isEqualTo(4);
  }

  @Test
  void member_thatGoesOnAmongOldReplays_asksAboutTheRestOfThem() {
    findsOld(2);
    append(P1, 0, "b1", "posts");
    loop.turn(consumer);
    answers.get("b1").complete(true);

    consumer.rebalance(Set.of(P0));
    consumer.updateEndOffsets(Map.of(P1, 9L));
    consumer.rebalance(BOTH);
    assertThat(committed(P1)).isEqualTo(1);
    append(P1, 1, "b2", "posts");
    append(P1, 2, "b3", "posts");
    loop.turn(consumer);

    assertThat(answers).containsOnlyKeys("b1", "b2");
  }

  /** Takes the partition up as a group that Kafka forgot, with {@code end} replays in it. */
  private void findsOld(long end) {
    consumer.rebalance(Set.of(P0));
    consumer.updateEndOffsets(Map.of(P1, end));
    consumer.rebalance(BOTH);
    loop.turn(consumer);
  }

  @Test
  void replays_ofOtherDomains_arePassedOver() {
    append(P0, 0, "a1", "posts");
    append(P0, 1, "b1", "accounts");
    turnAndRun();

    assertThat(handled).containsExactly("a1");
    loop.leave(consumer);
    assertThat(committed(P0)).isEqualTo(2);
  }

  @Test
  void unfinished_isNotCommitted_whenThePartitionIsRevoked() {
    append(P0, 0, "a1", "posts");
    append(P1, 0, "b1", "posts");
    append(P1, 1, "b2", "posts");
    turnAndRun();
    append(P1, 2, "b3", "posts");
    append(P1, 3, "b4", "posts");
    loop.turn(consumer);
    threads.clear();
    loop.stop();

    consumer.rebalance(Set.of(P0));
    consumer.rebalance(BOTH);

    assertThat(committed(P1)).isEqualTo(2);
    assertThat(committed(P0)).isNull();
    loop.leave(consumer);
    assertThat(committed(P0)).isEqualTo(1);
  }

  @Test
  void partition_withTooManyUnfinished_isPausedUntilTheyAreFinished() {
    append(P0, 0, "a1", "posts");
    append(P0, 1, "a2", "posts");
    loop.turn(consumer);
    assertThat(consumer.paused()).containsExactly(P0);

    turnAndRun();

    assertThat(consumer.paused()).isEmpty();
    assertThat(handled).containsExactly("a1", "a2");
  }

  @Test
  void record_thatNobodyCanRead_isPassedOverAndTold() {
    consumer.addRecord(new ConsumerRecord<>("quota.replays", 0, 0, null, new byte[] {9, 9, 9}));
    append(P0, 1, "a1", "posts");
    turnAndRun();

    assertThat(handled).containsExactly("a1");
    assertThat(failures).containsExactly("read quota.replays");
  }

  @Test
  void record_whoseSchemaIsNotKnown_holdsUpItsPartitionAndNoOther() {
    byte[] unknown = wire.encode(Replays.of("a1", "1"));
    unknown[4] ^= 1; // of the fingerprint
    consumer.addRecord(new ConsumerRecord<>("quota.replays", 0, 0, null, unknown));
    append(P1, 0, "b1", "posts");
    turnAndRun();

    assertThat(handled).containsExactly("b1");
    assertThat(consumer.paused()).containsExactly(P0);
    assertThat(consumer.position(P0)).isZero();
    assertThat(dispatcher.committable(Set.of(0))).isEmpty();

    now += 1_000_000_000L;
    loop.turn(consumer);
    assertThat(consumer.paused()).isEmpty();
  }

  @Test
  void record_whoseSchemaNobodyEverKnows_isPassedOverAfterAWhile_andTheNextOneAtOnce() {
    byte[] unknown = wire.encode(Replays.of("a0", "1"));
    unknown[4] ^= 1; // of the fingerprint
    for (int offset = 0; offset < 2; offset++) {
      consumer.addRecord(new ConsumerRecord<>("quota.replays", 0, offset, null, unknown));
    }
    append(P0, 2, "a1", "posts");
    turnAndRun();
    assertThat(handled).isEmpty();

    now += 11_000_000_000L;
    loop.turn(consumer);
    for (int offset = 0; offset < 2; offset++) {
      consumer.addRecord(new ConsumerRecord<>("quota.replays", 0, offset, null, unknown));
    }
    append(P0, 2, "a1", "posts");
    turnAndRun();

    assertThat(handled).containsExactly("a1");
  }

  @Test
  void leaving_givesBackWhatHasNotStarted() {
    append(P0, 0, "a1", "posts");
    append(P0, 1, "a2", "posts");
    loop.turn(consumer);

    loop.leave(consumer);
    threads.forEach(Runnable::run);

    assertThat(handled).containsExactly("a1");
    assertThat(committed(P0)).isZero();
    assertThat(dispatcher.unfinished()).isZero();
  }

  @Test
  void consumer_thatFails_isReplacedAndWhatWasReadIsReadAgain() {
    MockConsumer<byte[], byte[]> second = new MockConsumer<>("earliest");
    Deque<MockConsumer<byte[], byte[]>> consumers = new ArrayDeque<>(List.of(consumer, second));
    ReplayLoop other = new ReplayLoop(setup(group -> consumers.remove()), POSTS, dispatcher);
    consumer.unsubscribe();
    consumer.schedulePollTask(() -> consumer.setPollException(new KafkaException("broken")));
    second.schedulePollTask(other::stop);

    other.run();

    assertThat(consumer.closed()).isTrue();
    assertThat(second.closed()).isTrue();
    assertThat(failures).containsExactly("read replays");
  }

  @Test
  void kafka_away_noConsumerIsOpenedUntilItIsBack() throws InterruptedException {
    AtomicInteger opened = new AtomicInteger();
    ReplayLoop other =
        new ReplayLoop(
            setup(
                group -> {
                  opened.incrementAndGet();
                  return new MockConsumer<>("earliest");
                }),
            POSTS,
            dispatcher);
    kafkaAway = true;
    Thread thread = new Thread(other);
    thread.start();
    await().during(Duration.ofMillis(100)).until(() -> opened.get() == 0);

    kafkaAway = false;

    await().until(() -> opened.get() == 1);
    other.stop();
    thread.join();
  }

  private void append(TopicPartition partition, long offset, String id, String domain) {
    consumer.addRecord(
        new ConsumerRecord<>(
            partition.topic(),
            partition.partition(),
            offset,
            null,
            wire.encode(Replays.of(id, domain, "1", Priority.NORMAL, 0))));
  }

  private void turnAndRun() {
    loop.turn(consumer);
    while (!threads.isEmpty()) {
      threads.remove().run();
    }
    loop.turn(consumer);
  }

  private @Nullable Long committed(TopicPartition partition) {
    var offset = consumer.committed(Set.of(partition)).get(partition);
    return offset == null ? null : offset.offset();
  }
}
