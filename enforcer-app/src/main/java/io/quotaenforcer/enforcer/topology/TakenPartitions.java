package io.quotaenforcer.enforcer.topology;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
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

  /** Commits come more often; a broker that is merely slow makes a wait of this length. */
  private static final long LONG_WAIT_NANOS = 2_000_000_000L;

  /** Reports that are read at once: whoever has no more to read answers what has just come. */
  private static final long CAUGHT_UP = 100;

  private final String topic;

  /** By stream thread: a failed one may disappear silently. */
  private final Map<Thread, Set<Integer>> assigned = new ConcurrentHashMap<>();

  /** Partitions whose ledger is at work, with the time used by their predecessor. */
  private final Map<Integer, Long> turns = new ConcurrentHashMap<>();

  /** Partitions whose instances wait for an answer until a commit, and since when. */
  private final Map<Integer, Long> unanswered = new ConcurrentHashMap<>();

  /** Partitions that have answered nobody in this turn. */
  private final Set<Integer> silent = ConcurrentHashMap.newKeySet();

  /** A partition of which nothing was heard in this turn. */
  private static final long UNKNOWN = -1;

  /**
   * Partitions whose reports of before this turn are not all read, and how many are left, or {@link
   * #UNKNOWN}.
   */
  private final Map<Integer, Long> behind = new ConcurrentHashMap<>();

  private volatile boolean granted;

  /** Where a partition is on its way to this enforcer. */
  public enum Phase {
    RESTORING,
    WAITING,
    CATCHING_UP,
    GRANTING
  }

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

  /** Whether the ledgers of all partitions that the calling thread has are at work. */
  boolean areMineAtWork() {
    return turns.keySet().containsAll(mine());
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
    silent.add(partition);
    behind.put(partition, UNKNOWN);
  }

  void end(int partition) {
    turns.remove(partition);
    unanswered.remove(partition);
    silent.remove(partition);
    behind.remove(partition);
  }

  /**
   * A report cannot be answered before the next commit.
   *
   * @param epochNanos of the enforcer's clock
   */
  void waits(int partition, long epochNanos) {
    unanswered.putIfAbsent(partition, epochNanos);
  }

  /** A report was answered. */
  void answered(int partition) {
    if (!silent.isEmpty()) {
      silent.remove(partition);
    }
    if (!unanswered.isEmpty()) {
      unanswered.remove(partition);
    }
  }

  /**
   * Notes how far the calling thread is behind at partitions that it has lately taken over. One
   * that has caught up once is never asked for again.
   *
   * @param lag records to read; empty if that is not known yet
   */
  void behind(Function<TopicPartition, OptionalLong> lag) {
    if (behind.isEmpty()) {
      return;
    }
    for (Integer partition : mine()) {
      if (behind.containsKey(partition)) {
        lag.apply(new TopicPartition(topic, partition)).ifPresent(left -> behind(partition, left));
      }
    }
  }

  private void behind(int partition, long left) {
    if (left <= CAUGHT_UP) {
      behind.remove(partition);
    } else {
      behind.replace(partition, left);
    }
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

  /**
   * Number of this enforcer's partitions in a phase.
   *
   * @param epochNanos of the enforcer's clock
   */
  public int in(Phase phase, long epochNanos) {
    return (int) all().stream().filter(it -> phase(it, epochNanos) == phase).count();
  }

  private Phase phase(int partition, long epochNanos) {
    Long until = turns.get(partition);
    if (until == null) {
      return Phase.RESTORING;
    }
    if (until > epochNanos) {
      return Phase.WAITING;
    }
    return behind.containsKey(partition) ? Phase.CATCHING_UP : Phase.GRANTING;
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
    if (waits > 0) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "takeover: waiting for enforcer time, for %.1f s more",
              Math.ceil(waits / NANOS_PER_SECOND * 10) / 10));
    }
    return missingAnswers(all, epochNanos);
  }

  private Optional<String> missingAnswers(SortedSet<Integer> all, long epochNanos) {
    long left = 0;
    long unheard = 0;
    long waiting = 0;
    long longest = 0;
    for (Integer partition : all) {
      long reports = behind.getOrDefault(partition, 0L);
      unheard += reports == UNKNOWN ? 1 : 0;
      left += Math.max(0, reports);
      long since = epochNanos - unanswered.getOrDefault(partition, epochNanos);
      boolean waits = unanswered.containsKey(partition);
      if (since > LONG_WAIT_NANOS || (waits && silent.contains(partition))) {
        waiting++;
        longest = Math.max(longest, since);
      }
    }
    if (unheard > 0) {
      return Optional.of(
          "takeover: brokers have not said yet from where on to read %d of %d partitions"
              .formatted(unheard, all.size()));
    }
    if (left > 0) {
      return Optional.of(
          "takeover: reading what came meanwhile, %d reports are left".formatted(left));
    }
    return waiting == 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "reports of %d of %d partitions wait for a commit to be answered, for %.1f s",
                waiting,
                all.size(),
                longest / NANOS_PER_SECOND));
  }
}
