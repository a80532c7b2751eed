package io.quotaenforcer.client.internal.replay;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How much is read and not finished, and which partitions are not to be read on for it: from the
 * moment when there is too much until half of that is left. Not safe for use by several threads.
 */
final class Backlog {
  private final Limits limits;
  private final Map<Integer, Integer> perPartition = new HashMap<>();
  private final Set<Integer> held = new HashSet<>();
  private int records;
  private long bytes;
  private boolean allHeld;

  /**
   * From which number on there is too much.
   *
   * @param perPartition records of one partition
   * @param records of all partitions
   * @param bytes of all records
   */
  record Limits(int perPartition, int records, long bytes) {
    /** 64 MiB are 64 payloads of the largest size. */
    static final Limits DEFAULTS = new Limits(1_000, 10_000, 64L << 20);

    /** An even part; even of the smallest, one record may be read. */
    Limits dividedBy(int parts) {
      return new Limits(
          Math.max(1, perPartition / parts),
          Math.max(1, records / parts),
          Math.max(1, bytes / parts));
    }
  }

  Backlog(Limits limits) {
    this.limits = limits;
  }

  void add(int partition, int recordBytes) {
    perPartition.merge(partition, 1, Integer::sum);
    records++;
    bytes += recordBytes;
  }

  void remove(int partition, int recordBytes) {
    perPartition.merge(partition, -1, (a, b) -> a + b == 0 ? null : a + b);
    records--;
    bytes -= recordBytes;
  }

  /** Which of the partitions are not to be read on now. */
  Set<Integer> held(Collection<Integer> partitions) {
    allHeld =
        allHeld
            ? records > limits.records() / 2 || bytes > limits.bytes() / 2
            : records >= limits.records() || bytes >= limits.bytes();
    held.retainAll(partitions);
    for (int partition : partitions) {
      int count = perPartition.getOrDefault(partition, 0);
      if (count >= limits.perPartition()) {
        held.add(partition);
      } else if (count <= limits.perPartition() / 2) {
        held.remove(partition);
      }
    }
    return Set.copyOf(allHeld ? partitions : held);
  }

  int records() {
    return records;
  }
}
