package io.quotaenforcer.enforcer.topology;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Ends turns at partitions in order: when they move to another enforcer, or when this one stops. An
 * ended turn answers no more, so that its last transaction holds all its grants.
 *
 * <p>Turns belong to the stream thread on which they began; {@link #endAll} is for any thread.
 */
public final class HandOver {
  /**
   * A thread whose turns have ended answers nobody, and waits so long for the others to end theirs.
   * Had it left alone, they would rejoin the group before they leave: a second rebalance, a few
   * tenths of a second for each partition, and theirs would be lost rather than handed over.
   */
  private static final long TOGETHER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final ThreadLocal<Map<TopicPartition, Turn>> turns =
      ThreadLocal.withInitial(HashMap::new);
  private final Set<TopicPartition> open = ConcurrentHashMap.newKeySet();

  /** Partitions whose turns have not ended, of all threads. */
  private final Set<TopicPartition> unfinished = ConcurrentHashMap.newKeySet();

  /** When the first thread had ended all of its turns, of which it had some. */
  private final AtomicReference<Long> firstEndedNanos = new AtomicReference<>();

  private final TakenPartitions taken;
  private final LongSupplier nanoTime;
  private volatile boolean ending;
  private volatile boolean leaving;

  /** One enforcer's turn at a partition. */
  @FunctionalInterface
  interface Turn {
    /** Ends the turn if it has uncommitted writes; returns whether it has ended. */
    boolean tryEnd();
  }

  /**
   * @param usageTopic of the partitions taken over and handed over
   */
  public HandOver(String usageTopic) {
    this(usageTopic, System::nanoTime);
  }

  /**
   * @param nanoTime monotonic
   */
  HandOver(String usageTopic, LongSupplier nanoTime) {
    this.taken = new TakenPartitions(usageTopic);
    this.nanoTime = nanoTime;
  }

  /** The partitions that are this enforcer's. */
  public TakenPartitions taken() {
    return taken;
  }

  /**
   * A turn begins on the calling thread.
   *
   * @param untilNanos its time stands still until the enforcer's clock has reached this
   */
  void begin(TopicPartition partition, Turn turn, long untilNanos) {
    turns.get().put(partition, turn);
    open.add(partition);
    unfinished.add(partition);
    taken.begin(partition.partition(), untilNanos);
  }

  /** A turn of the calling thread is over, in whatever way. */
  void forget(TopicPartition partition) {
    turns.get().remove(partition);
    open.remove(partition);
    unfinished.remove(partition);
    taken.end(partition.partition());
    synchronized (this) {
      notifyAll();
    }
  }

  /** Partitions are about to be taken from the calling thread, after one more transaction. */
  void revoking(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Turn> mine = turns.get();
    for (TopicPartition partition : partitions) {
      Turn turn = mine.get(partition);
      if (turn != null) {
        turn.tryEnd();
      }
    }
  }

  /**
   * The calling thread is between two records. All threads leave together, as far as they can.
   *
   * @return whether it must give its partitions away now
   */
  boolean betweenRecords() {
    if (!ending) {
      return false;
    }
    Map<TopicPartition, Turn> mine = turns.get();
    boolean ended = !mine.isEmpty();
    for (Map.Entry<TopicPartition, Turn> each : mine.entrySet()) {
      if (each.getValue().tryEnd()) {
        unfinished.remove(each.getKey());
      } else {
        ended = false;
      }
    }
    if (ended) {
      firstEndedNanos.compareAndSet(null, nanoTime.getAsLong());
    }
    return leaving || unfinished.isEmpty() || haveWaitedForOthers();
  }

  private boolean haveWaitedForOthers() {
    Long since = firstEndedNanos.get();
    return since != null && nanoTime.getAsLong() - since >= TOGETHER_NANOS;
  }

  /**
   * Ends all turns, on their own threads, which then leave the group. A turn whose partition is
   * idle does not end; it is left with the others, and costs its successor as much as a crash.
   *
   * @param atMost for a report to come to each partition, unless all those of one thread have ended
   *     sooner; and again for leaving
   */
  public void endAll(Duration atMost) {
    ending = true;
    awaitNoneOpen(atMost);
    leaving = true;
    awaitNoneOpen(atMost);
  }

  private synchronized void awaitNoneOpen(Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    try {
      for (long left = atMost.toNanos();
          left > 0 && !open.isEmpty();
          left = deadline - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
