package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.ReplayHandler;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.message.DeferralInput.ReplayResult;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads of a runner, with groups that no broker keeps. */
@Timeout(60)
class RunningReplaysTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final TopicPartition P0 = new TopicPartition("quota.replays", 0);
  private static final ReplayGroup POSTS = new ReplayGroup("g-posts", "posts"::equals);
  private static final ReplayGroup MAILS = new ReplayGroup("g-mails", "mails"::equals);

  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private final Map<String, MockConsumer<byte[], byte[]>> consumers = new ConcurrentHashMap<>();
  private final Map<String, Long> offsets = new HashMap<>();
  private final Queue<ReplayResult> results = new ConcurrentLinkedQueue<>();
  private final Queue<Long> committed = new ConcurrentLinkedQueue<>();
  private final Queue<String> threads = new ConcurrentLinkedQueue<>();
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private @Nullable RunningReplays runner;

  @AfterEach
  void close() {
    goOn.countDown();
    if (runner != null) {
      runner.close();
    }
  }

  private RunningReplays start(
      List<ReplayGroup> groups,
      Duration closeTimeout,
      ReplayOptions options,
      ReplayHandler handler) {
    groups.forEach(group -> consumers.put(group.name(), consumer()));
    RunningReplays made =
        new RunningReplays(
            new ReplaySetup(
                new Instance(new Identity("shop-1", 7), Clocks.system(), ClientTelemetry.NONE),
                groups,
                new ReplayKafka(wire, group -> consumers.get(group.name()), () -> false),
                new ReplayDesk(
                    (replay, maxWait) ->
                        CompletableFuture.completedFuture(new Decision.Unmatched()),
                    replay -> new CompletableFuture<>(),
                    result -> {
                      results.add(result);
                      return CompletableFuture.completedFuture(null);
                    }),
                closeTimeout),
            handler,
            options);
    runner = made;
    made.start();
    return made;
  }

  private MockConsumer<byte[], byte[]> consumer() {
    MockConsumer<byte[], byte[]> made =
        new MockConsumer<>("earliest") {
          @Override
          public synchronized void commitSync(
              Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
            super.commitSync(offsets, timeout);
            offsets.values().forEach(each -> committed.add(each.offset()));
          }
        };
    made.updateBeginningOffsets(Map.of(P0, 0L));
    made.updateEndOffsets(Map.of(P0, 0L));
    made.schedulePollTask(() -> made.rebalance(List.of(P0)));
    return made;
  }

  private void released(ReplayGroup group, String id, String user) {
    MockConsumer<byte[], byte[]> consumer = consumers.get(group.name());
    String domain = group == POSTS ? "posts" : "mails";
    long offset = offsets.merge(group.name(), 1L, Long::sum) - 1;
    byte[] value = wire.encode(Replays.of(id, domain, user, Priority.NORMAL, 0));
    consumer.schedulePollTask(
        () -> consumer.addRecord(new ConsumerRecord<>("quota.replays", 0, offset, null, value)));
  }

  /** Runs until it may end, and notes how many run at once. */
  private ReplayOutcome hold(Object replay) throws InterruptedException {
    threads.add(Thread.currentThread().getName());
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    try {
      goOn.await();
      return ReplayOutcome.done();
    } finally {
      running.decrementAndGet();
    }
  }

  private static boolean isAlive(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals(name) && thread.isAlive());
  }

  @Test
  void replays_ofAllGroups_areHandled_andTheirResultsWritten() {
    start(
        List.of(POSTS, MAILS),
        Duration.ZERO,
        ReplayOptions.DEFAULTS,
        replay ->
            replay.id().equals("bad")
                ? ReplayOutcome.failed("no such user")
                : ReplayOutcome.done());
    released(POSTS, "a", "1");
    released(POSTS, "bad", "2");
    released(MAILS, "b", "1");

    await().atMost(SOON).until(() -> results.size() == 3);
    assertThat(results)
        .extracting(it -> it.id() + " " + it.done() + " " + it.reason())
        .containsExactlyInAnyOrder("a true ", "bad false no such user", "b true ");
  }

  @Test
  void handlers_ofAllGroupsTogether_areAsManyAsTheOptionsSay() {
    RunningReplays replays =
        start(
            List.of(POSTS, MAILS),
            Duration.ofSeconds(20),
            ReplayOptions.DEFAULTS.withConcurrency(2),
            this::hold);
    for (int i = 0; i < 3; i++) {
      released(POSTS, "p" + i, "u" + i);
      released(MAILS, "m" + i, "u" + i);
    }
    await().atMost(SOON).until(() -> replays.unfinished() == 6 && running.get() == 2);
    await().during(Duration.ofMillis(100)).until(() -> running.get() == 2);

    goOn.countDown();

    await().atMost(SOON).until(() -> results.size() == 6 && replays.unfinished() == 0);
    assertThat(most).hasValue(2);
    assertThat(Set.copyOf(threads))
        .containsExactlyInAnyOrder("quota-replay-shop-1-1", "quota-replay-shop-1-2");
  }

  @Test
  void close_finishesWhatRuns_commitsIt_andGivesBackTheRest() {
    RunningReplays replays =
        start(
            List.of(POSTS),
            Duration.ofSeconds(20),
            ReplayOptions.DEFAULTS.withConcurrency(1),
            this::hold);
    released(POSTS, "a", "1");
    released(POSTS, "b", "1");
    await().atMost(SOON).until(() -> replays.unfinished() == 2 && running.get() == 1);
    Thread closing = new Thread(replays::close);
    closing.start();
    await().atMost(SOON).until(() -> replays.unfinished() == 1);

    goOn.countDown();

    await().atMost(SOON).until(() -> !closing.isAlive());
    assertThat(results).extracting(ReplayResult::id).containsExactly("a");
    assertThat(committed).as("when it left").last().isEqualTo(1L);
    MockConsumer<byte[], byte[]> consumer = consumers.get("g-posts");
    assertThat(consumer.closed()).isTrue();
    assertThat(isAlive("quota-replays-shop-1-g-posts")).isFalse();
  }

  @Test
  void close_handlerThatDoesNotEnd_isInterruptedAfterItsTime() {
    CompletableFuture<String> ended = new CompletableFuture<>();
    RunningReplays replays =
        start(
            List.of(POSTS),
            Duration.ofMillis(100),
            ReplayOptions.DEFAULTS,
            replay -> {
              running.incrementAndGet();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                ended.complete("interrupted");
              }
              return ReplayOutcome.done();
            });
    released(POSTS, "a", "1");
    await().atMost(SOON).until(() -> running.get() == 1);

    replays.close();

    assertThat(ended).succeedsWithin(SOON).isEqualTo("interrupted");
    assertThat(committed).as("another member handles it").doesNotContain(1L);
  }

  @Test
  void close_twice_orBeforeTheStart_endsAtOnce() {
    RunningReplays replays =
        start(
            List.of(POSTS), Duration.ZERO, ReplayOptions.DEFAULTS, replay -> ReplayOutcome.done());
    replays.close();
    replays.close();

    assertThat(replays.unfinished()).isZero();
  }

  @Test
  void handler_thatThrows_isCalledAgainOnAnyThread_andTheRunnerLives() {
    AtomicInteger calls = new AtomicInteger();
    start(
        List.of(POSTS),
        Duration.ZERO,
        ReplayOptions.DEFAULTS.withMaxAttempts(2),
        replay -> {
          calls.incrementAndGet();
          throw new StackOverflowError("deep");
        });
    released(POSTS, "a", "1");

    await().atMost(SOON).until(() -> results.size() == 1);
    assertThat(calls).hasValue(2);
    assertThat(results.element().reason())
        .isEqualTo("given up after 2 attempts: java.lang.StackOverflowError: deep");
    released(POSTS, "b", "1");
    await().atMost(SOON).until(() -> results.size() == 2);
  }
}
