package io.quotaenforcer.enforcer.topology;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/**
 * Ends turns at partitions in order: when they move to another enforcer, or when this one stops. An
 * ended turn answers no more, so that its last transaction holds all its grants.
 *
 * <p>Turns belong to the stream thread on which they began; {@link #endAll} is for any thread.
 */
public final class HandOver {
  private final ThreadLocal<Map<TopicPartition, Turn>> turns =
      ThreadLocal.withInitial(HashMap::new);
  private final Set<TopicPartition> open = ConcurrentHashMap.newKeySet();
  private final TakenPartitions taken;
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
    taken = new TakenPartitions(usageTopic);
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
    taken.begin(partition.partition(), untilNanos);
  }

  /** A turn of the calling thread is over, in whatever way. */
  void forget(TopicPartition partition) {
    turns.get().remove(partition);
    open.remove(partition);
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
   * The calling thread is between two records.
   *
   * @return whether it must give its partitions away now
   */
  boolean betweenRecords() {
    if (!ending) {
      return false;
    }
    boolean ended = true;
    for (Turn turn : turns.get().values()) {
      ended &= turn.tryEnd();
    }
    return ended || leaving;
  }

  /**
   * Ends all turns, on their own threads, which then leave the group. A turn whose partition is
   * idle does not end, and costs its successor as much as a crash.
   *
   * @param atMost for a report to come to each partition, and again for leaving
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
