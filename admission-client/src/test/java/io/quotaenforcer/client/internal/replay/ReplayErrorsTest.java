package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.message.DeferralInput.ReplayResult;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever ends in an Error is tried again, and nothing stands still because of it. */
class ReplayErrorsTest {
  private static final long MILLI = 1_000_000L;
  private static final TopicPartition P0 = new TopicPartition("quota.replays", 0);
  private static final TopicPartition P1 = new TopicPartition("quota.replays", 1);

  private final Wire wire = Wire.of("quota.", Codecs.from(Map.of()));
  private final Deque<Runnable> threads = new ArrayDeque<>();
  private final List<String> handled = new ArrayList<>();
  private final List<ReplayResult> results = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final Deque<MockConsumer<byte[], byte[]>> consumers = new ArrayDeque<>();
  private @Nullable Error ofThreads;
  private @Nullable Error ofDecisions;
  private @Nullable Error ofResults;
  private long now;
  private final Instance instance =
      new Instance(
          new Identity("i", 1),
          new Clocks(() -> now, () -> now),
          new ClientTelemetry() {
            @Override
            public void failed(String what, Exception cause) {
              failures.add(what + ": " + cause);
            }
          });
  private final ReplayDesk desk =
      new ReplayDesk(this::decide, replay -> new CompletableFuture<>(), this::write);
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
          new Workers(2, this::start),
          new Backlog.Limits(100, 100, 1_000_000));

  private void start(Runnable work) {
    throwIfAny(ofThreads);
    threads.add(work);
  }

  private CompletableFuture<Decision> decide(Replay replay, Duration maxWait) {
    throwIfAny(ofDecisions);
    return CompletableFuture.completedFuture(new Decision.Unmatched());
  }

  private CompletableFuture<Void> write(ReplayResult result) {
    throwIfAny(ofResults);
    results.add(result);
    return CompletableFuture.completedFuture(null);
  }

  private static Error unlinked() {
    return new NoClassDefFoundError("of another version");
  }

  private static void throwIfAny(@Nullable Error error) {
    if (error != null) {
      throw error;
    }
  }

  private ReplayLoop loop(ReplayGroup group) {
    ReplayKafka kafka = new ReplayKafka(wire, it -> consumers.remove(), () -> false);
    ReplaySetup setup = new ReplaySetup(instance, List.of(group), kafka, desk, Duration.ZERO);
    return new ReplayLoop(setup, group, dispatcher);
  }

  private void add(long offset, String id, String user) {
    dispatcher.add(0, offset, Replays.of(id, user), 1);
  }

  private void passes(long millis) {
    now += millis * MILLI;
    dispatcher.tick();
    runAll();
  }

  private void runAll() {
    while (!threads.isEmpty()) {
      threads.remove().run();
    }
  }

  @Test
  void decision_thatEndsInAnError_isAskedForAgain() {
    ofDecisions = unlinked();
    add(0, "a1", "a");
    add(1, "b1", "b");

    ofDecisions = null;
    passes(1_000);

    assertThat(handled).containsExactly("a1", "b1");
  }

  @Test
  void thread_thatCannotBeHad_isAskedForAgain_andThatIsNoAttempt() {
    ofThreads = new InternalError("unable to create native thread");
    add(0, "a1", "a");
    add(1, "b1", "b");
    add(2, "c1", "c");

    ofThreads = null;
    passes(20);

    assertThat(handled).containsExactlyInAnyOrder("a1", "b1", "c1");
    assertThat(results).extracting(ReplayResult::attempts).containsOnly(1);
    assertThat(dispatcher.unfinished()).isZero();
  }

  @Test
  void result_whoseWritingEndsInAnError_isWrittenAgain() {
    add(0, "a1", "a");
    add(1, "a2", "a");
    ofResults = unlinked();
    runAll();
    assertThat(handled).containsExactly("a1", "a2");

    ofResults = null;
    passes(1_000);

    assertThat(results).extracting(ReplayResult::id).containsExactly("a1", "a2");
    assertThat(dispatcher.committable(Set.of(0))).containsEntry(0, 2L);
  }

  @Test
  void consumer_thatEndsInAnError_isReplaced() {
    MockConsumer<byte[], byte[]> first = new MockConsumer<>("earliest");
    MockConsumer<byte[], byte[]> second = new MockConsumer<>("earliest");
    consumers.addAll(List.of(first, second));
    ReplayLoop loop = loop(new ReplayGroup("quota.replays-posts", "posts"::equals));
    first.schedulePollTask(() -> throwIfAny(unlinked()));
    second.schedulePollTask(loop::stop);

    loop.run();

    assertThat(first.closed()).isTrue();
    assertThat(second.closed()).isTrue();
    assertThat(failures).singleElement().asString().startsWith("read replays: ");
  }

  @Test
  void record_thatEndsInAnError_holdsUpItsPartition_andIsPassedOverAfterAWhile() {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    ReplayLoop loop = loop(new ReplayGroup("quota.replays-all", ReplayErrorsTest::overflows));
    loop.join(consumer);
    consumer.updateBeginningOffsets(Map.of(P0, 0L, P1, 0L));
    consumer.updateEndOffsets(Map.of(P0, 0L, P1, 0L));
    consumer.rebalance(Set.of(P0, P1));
    loop.turn(consumer);
    append(consumer, P0, 0, "deep", "deep");
    append(consumer, P0, 1, "a1", "posts");
    append(consumer, P1, 0, "b1", "posts");
    turnAndRun(loop, consumer);
    assertThat(handled).containsExactly("b1");
    assertThat(consumer.position(P0)).isZero();

    now += 11_000 * MILLI;
    loop.turn(consumer);
    append(consumer, P0, 0, "deep", "deep");
    append(consumer, P0, 1, "a1", "posts");
    turnAndRun(loop, consumer);

    assertThat(handled).containsExactly("b1", "a1");
    assertThat(failures).hasSize(2).allMatch(it -> it.startsWith("read quota.replays: "));
  }

  /** Whether a domain is one of a group; it runs out of stack for one of them. */
  private static boolean overflows(String domain) {
    if (domain.equals("deep")) {
      throw new StackOverflowError();
    }
    return true;
  }

  private void append(
      MockConsumer<byte[], byte[]> consumer,
      TopicPartition partition,
      long offset,
      String id,
      String domain) {
    consumer.addRecord(
        new ConsumerRecord<>(
            partition.topic(),
            partition.partition(),
            offset,
            null,
            wire.encode(Replays.of(id, domain, "1", Priority.NORMAL, 0))));
  }

  private void turnAndRun(ReplayLoop loop, MockConsumer<byte[], byte[]> consumer) {
    loop.turn(consumer);
    runAll();
    loop.turn(consumer);
  }
}
