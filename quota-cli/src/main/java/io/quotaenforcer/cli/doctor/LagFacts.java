package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Check.LAG;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** How far the enforcers have read. */
public record LagFacts(List<Partition> partitions) {
  /** Enforcers apply about as many reports in a second or two. */
  static final long LONG = 20_000;

  /**
   * A partition that the enforcers have read from.
   *
   * @param first oldest offset that is there
   * @param read offset to be read next
   * @param end offset after the newest record
   */
  public record Partition(String topic, int partition, long first, long read, long end) {
    private long unread() {
      return Math.max(0, end - Math.max(first, read));
    }

    private long lost() {
      return Math.max(0, first - read);
    }
  }

  public LagFacts {
    partitions = List.copyOf(partitions);
  }

  /** The diagnosis. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    for (Partition each : partitions) {
      if (each.lost() > 0) {
        findings.add(
            Finding.problem(
                LAG,
                "%d records of %s, partition %d, were deleted before they were read, and are not counted: no enforcer ran for longer than the topic is kept; start one, and keep the topic longer (retention.ms)"
                    .formatted(each.lost(), each.topic(), each.partition())));
      }
    }
    Optional<Partition> longest =
        partitions.stream().max(Comparator.comparingLong(Partition::unread));
    if (longest.isPresent() && longest.get().unread() > LONG) {
      Partition worst = longest.get();
      findings.add(
          Finding.problem(
              LAG,
              "%d records of %s, partition %d, wait to be read: enforcers are away, or too few for what is reported; start more of them (as many as there are partitions can share the work), or give them more num.stream.threads"
                  .formatted(worst.unread(), worst.topic(), worst.partition())));
    } else if (findings.isEmpty()) {
      findings.add(
          Finding.ok(
              LAG,
              "at most %d records of a partition wait to be read"
                  .formatted(longest.map(Partition::unread).orElse(0L))));
    }
    return findings;
  }
}
