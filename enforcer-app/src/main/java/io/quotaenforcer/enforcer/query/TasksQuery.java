package io.quotaenforcer.enforcer.query;

import java.util.List;
import java.util.OptionalLong;

/** Asks what the topology is made of, and which tasks the asked enforcer has. */
public interface TasksQuery {
  /** The parts of the topology, in order. */
  List<Part> parts();

  /**
   * The tasks of this enforcer.
   *
   * @throws NotReadyException while it starts or stops
   */
  List<Task> tasks();

  /**
   * A sub-topology, of which a task works on one partition.
   *
   * @param name of its first processor
   * @param reads its input topics
   * @param isLedger whether it counts quota keys
   */
  record Part(int number, String name, List<String> reads, int partitions, boolean isLedger) {
    public Part {
      reads = List.copyOf(reads);
    }
  }

  /**
   * A task.
   *
   * @param part number of the sub-topology
   * @param isActive whether it works, rather than keeps a copy
   * @param lag of one that works, records that its commits have not reached; of a copy, changes
   *     that it has not read; empty while that is not known
   */
  record Task(int part, int partition, boolean isActive, OptionalLong lag) {}
}
