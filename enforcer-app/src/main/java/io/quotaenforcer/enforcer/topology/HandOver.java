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
 * Ends turns at partitions as planned: when they go to another enforcer, or when this one is to
 * stop. An ended turn answers nothing more, so that its last transaction holds all that it granted.
 *
 * <p>Turns belong to the stream thread on which they began; {@link #endAll} is for any thread.
 */
public final class HandOver {
  private final ThreadLocal<Map<TopicPartition, Turn>> turns =
      ThreadLocal.withInitial(HashMap::new);
  private final Set<TopicPartition> open = ConcurrentHashMap.newKeySet();
  private volatile boolean ending;

  /** One enforcer's turn at a partition. */
  @FunctionalInterface
  interface Turn {
    /** Ends it, if it has written anything that is still to be committed; whether it has ended. */
    boolean tryEnd();
  }

  /** A turn begins on the calling thread. */
  void begin(TopicPartition partition, Turn turn) {
    turns.get().put(partition, turn);
    open.add(partition);
  }

  /** A turn of the calling thread is over, in whatever way. */
  void forget(TopicPartition partition) {
    turns.get().remove(partition);
    ended(partition);
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

  /** The calling thread is between two records. */
  void betweenRecords() {
    if (ending) {
      turns
          .get()
          .forEach(
              (partition, turn) -> {
                if (turn.tryEnd()) {
                  ended(partition);
                }
              });
    }
  }

  /**
   * Ends all turns, on their own threads. One at whose partition nothing happens does not end, and
   * costs its successor what a crash would.
   *
   * @param atMost returns after this in any case
   */
  public synchronized void endAll(Duration atMost) {
    ending = true;
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

  private void ended(TopicPartition partition) {
    if (open.remove(partition)) {
      synchronized (this) {
        notifyAll();
      }
    }
  }
}
