package io.quotaenforcer.enforcer.topology;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This enforcer's partitions of the usage topic, the obstacles to granting there, and a line in the
 * log for each change. Safe for use by any number of threads.
 */
public final class TakenPartitions {
  private static final Logger log = LoggerFactory.getLogger(TakenPartitions.class);
  private static final double NANOS_PER_SECOND = 1e9;

  private final String topic;

  /** By stream thread: a failed one may disappear silently. */
  private final Map<Thread, Set<Integer>> assigned = new ConcurrentHashMap<>();

  /** Partitions whose ledger is at work, with the time used by their predecessor. */
  private final Map<Integer, Long> turns = new ConcurrentHashMap<>();

  private volatile boolean granted;

  TakenPartitions(String topic) {
    this.topic = topic;
  }

  /** The calling thread gets partitions, which are still to be restored. */
  void assigned(Collection<TopicPartition> partitions) {
    SortedSet<Integer> ours = ours(partitions);
    mine().addAll(ours);
    if (!ours.isEmpty()) {
      log.info("taken over, to be restored: partitions {}", ours);
    }
  }

  /** The calling thread has given partitions away. */
  void revoked(Collection<TopicPartition> partitions) {
    SortedSet<Integer> ours = remove(partitions);
    if (!ours.isEmpty()) {
      log.info("given up: partitions {}", ours);
    }
  }

  /** Partitions were taken from the calling thread, which was not heard of for too long. */
  void lost(Collection<TopicPartition> partitions) {
    SortedSet<Integer> ours = remove(partitions);
    if (!ours.isEmpty()) {
      log.warn("lost to another enforcer, or to be taken over anew: partitions {}", ours);
    }
  }

  private SortedSet<Integer> remove(Collection<TopicPartition> partitions) {
    SortedSet<Integer> ours = ours(partitions);
    mine().removeAll(ours);
    return ours;
  }

  private Set<Integer> mine() {
    return assigned.computeIfAbsent(
        Thread.currentThread(), thread -> new ConcurrentSkipListSet<>());
  }

  private SortedSet<Integer> ours(Collection<TopicPartition> partitions) {
    return partitions.stream()
        .filter(partition -> partition.topic().equals(topic))
        .map(TopicPartition::partition)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * A ledger is restored, and its turn begins.
   *
   * @param untilNanos its time stands still until the enforcer's clock has reached this
   */
  void begin(int partition, long untilNanos) {
    turns.put(partition, untilNanos);
  }

  void end(int partition) {
    turns.remove(partition);
  }

  /** Permits were granted. */
  void granted() {
    if (!granted) {
      granted = true;
      log.info("first grant");
    }
  }

  /** This enforcer's partitions, restored or not. */
  public int count() {
    return all().size();
  }

  private SortedSet<Integer> all() {
    assigned.keySet().removeIf(thread -> !thread.isAlive());
    return assigned.values().stream()
        .flatMap(Set::stream)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Reason why some partition grants nothing; empty if all grant.
   *
   * @param epochNanos of the enforcer's clock
   */
  public Optional<String> missing(long epochNanos) {
    SortedSet<Integer> all = all();
    long restoring = all.stream().filter(partition -> !turns.containsKey(partition)).count();
    if (restoring > 0) {
      return Optional.of("restoring %d of %d partitions".formatted(restoring, all.size()));
    }
    long waits = 0;
    for (Integer partition : all) {
      Long until = turns.get(partition);
      waits = until == null ? waits : Math.max(waits, until - epochNanos);
    }
    return waits <= 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "takeover: waiting for enforcer time, for %.1f s more",
                Math.ceil(waits / NANOS_PER_SECOND * 10) / 10));
  }
}
