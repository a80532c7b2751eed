package io.quotaenforcer.enforcer.transaction;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Which records of this process brokers have taken, and up to where they have confirmed a commit.
 * Safe for use by any number of threads.
 */
public final class OwnRecords {
  private final Set<String> transactionalIds = ConcurrentHashMap.newKeySet();
  private final Map<TopicPartition, Taken> taken = new ConcurrentHashMap<>();

  /**
   * @param first offset of the first record that was taken
   * @param committed offset of the last record whose commit was confirmed; negative if none was
   */
  private record Taken(long first, long committed) {}

  /**
   * The records of one producer.
   *
   * @param transactionalId of the producer
   */
  public Transaction of(String transactionalId) {
    transactionalIds.add(transactionalId);
    return new Transaction();
  }

  /** Whether a producer of this process has had a transactional id. */
  boolean isOurs(String transactionalId) {
    return transactionalIds.contains(transactionalId);
  }

  /** This process's knowledge of a transaction of one of its producers. */
  public enum Outcome {
    /** Its commit was confirmed: permits may have been granted by it. */
    CONFIRMED,
    /** Its commit was never confirmed: nobody has acted on it. */
    UNCONFIRMED,
    /** Another process wrote it, or nobody took note. */
    UNKNOWN
  }

  /**
   * @param start offset of the transaction's first record
   */
  public Outcome outcome(TopicPartition partition, long start) {
    Taken ours = taken.get(partition);
    if (ours == null || ours.first > start) {
      return Outcome.UNKNOWN;
    }
    return ours.committed < start ? Outcome.UNCONFIRMED : Outcome.CONFIRMED;
  }

  /** The open transaction of one producer. */
  public final class Transaction {
    private final Map<TopicPartition, Long> last = new HashMap<>();

    private Transaction() {}

    /** A broker has taken a record. */
    public synchronized void taken(TopicPartition partition, long offset) {
      last.merge(partition, offset, Math::max);
      taken.computeIfAbsent(partition, first -> new Taken(offset, -1));
    }

    /** The commit of all that was taken is confirmed. */
    public synchronized void committed() {
      last.forEach(
          (partition, offset) ->
              taken.computeIfPresent(
                  partition,
                  (same, ours) -> new Taken(ours.first, Math.max(ours.committed, offset))));
      last.clear();
    }

    /** Forgets the records taken, which were aborted. */
    public synchronized void aborted() {
      last.clear();
    }
  }
}
