package io.quotaenforcer.client.internal.replay;

import io.quotaenforcer.client.internal.Consumers;
import io.quotaenforcer.client.internal.Failures;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads replays as a member of a consumer group, and commits them once they are finished. Run by
 * one thread, which no handler holds up; {@link #stop} may be called by another.
 */
final class ReplayLoop implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(ReplayLoop.class);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final long COMMIT_NANOS = 500_000_000L;
  private static final long RETRY_MILLIS = 1_000;
  private static final long AWAY_MILLIS = 20;
  private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(5);

  /** Time to commit and to leave the group. */
  static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(1);

  /** Longer than a broker takes to start anew: then its group still knows this member. */
  private static final long GIVE_UP_NANOS = 10_000_000_000L;

  /** How long a rebalance waits for what runs: short of what the rest of the group puts up with. */
  private static final long REVOKE_NANOS = 3_000_000_000L;

  private final ReplaySetup setup;
  private final ReplayGroup group;
  private final ReplayDispatcher dispatcher;
  private final ReplayReader reader;
  private final OldReplays old;
  private final String topic;
  private final Map<TopicPartition, Long> committed = new HashMap<>();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private long committedNanos;
  private boolean failing;

  ReplayLoop(ReplaySetup setup, ReplayGroup group, ReplayDispatcher dispatcher) {
    this.setup = setup;
    this.group = group;
    this.dispatcher = dispatcher;
    this.old = new OldReplays(group.name());
    this.reader = new ReplayReader(setup, group, old, dispatcher);
    this.topic = setup.kafka().wire().topics().replays().name();
  }

  void stop() {
    stopped.countDown();
  }

  @Override
  public void run() {
    while (stopped.getCount() > 0) {
      Consumer<byte[], byte[]> consumer = null;
      try {
        if (setup.kafka().isAway().getAsBoolean()) {
          dispatcher.tick();
          pause(AWAY_MILLIS);
          continue;
        }
        consumer = setup.kafka().consumers().apply(group);
        join(consumer);
        while (stopped.getCount() > 0 && isKept()) {
          turn(consumer);
        }
        if (stopped.getCount() == 0) {
          leave(consumer);
        } else {
          dispatcher.forgetAll();
        }
      } catch (RuntimeException | Error e) {
        // Errors, too: nobody else does this thread's work.
        failed(Failures.asException(e));
        dispatcher.forgetAll();
        pause(RETRY_MILLIS);
      } finally {
        close(consumer);
      }
    }
  }

  /**
   * Whether the consumer is of use. While Kafka is away it is not asked for records. When that has
   * lasted, another one takes its place: it would go on waiting long before it tries a broker
   * again.
   */
  private boolean isKept() {
    long since = System.nanoTime();
    while (stopped.getCount() > 0 && setup.kafka().isAway().getAsBoolean()) {
      dispatcher.tick();
      pause(AWAY_MILLIS);
    }
    return System.nanoTime() - since < GIVE_UP_NANOS;
  }

  private void close(@Nullable Consumer<byte[], byte[]> consumer) {
    if (consumer != null) {
      try {
        Consumers.close(
            consumer,
            setup.kafka().isAway().getAsBoolean() ? Duration.ZERO : LEAVE_TIMEOUT.dividedBy(2));
      } catch (RuntimeException | Error e) {
        log.debug("cannot leave the group; it notices by itself", e);
      }
    }
  }

  void join(Consumer<byte[], byte[]> consumer) {
    committed.clear();
    consumer.subscribe(List.of(topic), new Rebalances(consumer));
  }

  /** Reads what is there, goes on with what waits, and commits when it is time to. */
  void turn(Consumer<byte[], byte[]> consumer) {
    reader.read(consumer, consumer.poll(POLL));
    failing = false;
    dispatcher.tick();
    holdBack(consumer);
    long now = System.nanoTime();
    if (now - committedNanos >= COMMIT_NANOS) {
      committedNanos = now;
      Map<TopicPartition, OffsetAndMetadata> offsets = toCommit(consumer.assignment());
      if (!offsets.isEmpty()) {
        consumer.commitAsync(
            offsets,
            (done, failure) -> {
              if (failure != null) {
                log.debug("commit failed; a later one says the same and more", failure);
                committed.keySet().removeAll(done.keySet());
              }
            });
      }
    }
  }

  /** Finishes what has started, gives back the rest and leaves the group. */
  void leave(Consumer<byte[], byte[]> consumer) {
    long end = System.nanoTime() + setup.closeTimeout().toNanos();
    dispatcher.stop();
    await(() -> dispatcher.awaitStarted(setup.closeTimeout().toNanos()));
    if (!setup.kafka().isAway().getAsBoolean()) {
      // What the handlers left of the time is the commit's: a busy broker takes a while.
      Duration left = Duration.ofNanos(end - System.nanoTime()).plus(LEAVE_TIMEOUT.dividedBy(2));
      commit(consumer, consumer.assignment(), max(left, LEAVE_TIMEOUT.dividedBy(2)));
    }
  }

  private static Duration max(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  private final class Rebalances implements ConsumerRebalanceListener {
    private final Consumer<byte[], byte[]> consumer;

    Rebalances(Consumer<byte[], byte[]> consumer) {
      this.consumer = consumer;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
      old.takeUp(consumer, assigned);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
      Set<Integer> partitions = partitions(revoked);
      dispatcher.drop(partitions);
      long wait = stopped.getCount() > 0 ? REVOKE_NANOS : 0;
      await(() -> dispatcher.awaitStarted(partitions, wait));
      boolean goesOn = stopped.getCount() > 0;
      commit(consumer, revoked, goesOn ? COMMIT_TIMEOUT : LEAVE_TIMEOUT.dividedBy(2));
      dispatcher.forget(partitions);
      old.forget(partitions);
      committed.keySet().removeAll(revoked);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
      dispatcher.forget(partitions(lost));
      old.forget(partitions(lost));
      committed.keySet().removeAll(lost);
    }
  }

  private void holdBack(Consumer<byte[], byte[]> consumer) {
    Set<TopicPartition> assigned = consumer.assignment();
    Set<TopicPartition> held = reader.held(assigned);
    for (int partition : dispatcher.held(partitions(assigned))) {
      held.add(new TopicPartition(topic, partition));
    }
    Set<TopicPartition> paused = consumer.paused();
    Set<TopicPartition> resume = new HashSet<>(paused);
    resume.removeAll(held);
    held.removeAll(paused);
    if (!held.isEmpty()) {
      consumer.pause(held);
    }
    if (!resume.isEmpty()) {
      consumer.resume(resume);
    }
  }

  private void commit(
      Consumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions, Duration atMost) {
    // Even what an asynchronous commit may have said already: it may have failed.
    committed.keySet().removeAll(partitions);
    Map<TopicPartition, OffsetAndMetadata> offsets = toCommit(partitions);
    if (!offsets.isEmpty()) {
      try {
        consumer.commitSync(offsets, atMost);
      } catch (RuntimeException e) {
        log.warn("cannot commit; some replays will be handled again: {}", e.toString());
      }
    }
  }

  /** The offsets that have moved on since it was last asked. */
  private Map<TopicPartition, OffsetAndMetadata> toCommit(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    dispatcher
        .committable(partitions(partitions))
        .forEach(
            (partition, offset) -> {
              TopicPartition key = new TopicPartition(topic, partition);
              if (!offset.equals(committed.put(key, offset))) {
                offsets.put(key, old.toCommit(partition, offset));
              }
            });
    return offsets;
  }

  private static Set<Integer> partitions(Collection<TopicPartition> partitions) {
    Set<Integer> numbers = new HashSet<>();
    partitions.forEach(partition -> numbers.add(partition.partition()));
    return numbers;
  }

  private interface Waiting {
    void run() throws InterruptedException;
  }

  private static void await(Waiting waiting) {
    try {
      waiting.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void failed(RuntimeException e) {
    setup.instance().telemetry().failed("read replays", e);
    if (!failing && !setup.kafka().isAway().getAsBoolean()) {
      failing = true;
      log.warn("cannot read replays; trying again: {}", e.toString());
    }
  }

  private void pause(long millis) {
    await(() -> stopped.await(millis, TimeUnit.MILLISECONDS));
  }
}
