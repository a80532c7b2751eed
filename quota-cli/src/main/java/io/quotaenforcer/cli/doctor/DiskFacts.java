package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Check.DISK;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * File systems of brokers and enforcers.
 *
 * @param failed folders of brokers that are offline, with the reason
 */
public record DiskFacts(List<Disk> disks, List<String> failed) {
  private static final double FULL = 0.05;
  private static final double LOW = 0.15;

  /**
   * A file system.
   *
   * @param where whose it is, in words
   * @param sizeBytes more than 0
   */
  public record Disk(String where, double freeBytes, double sizeBytes) {
    private double freePart() {
      return freeBytes / sizeBytes;
    }
  }

  public DiskFacts {
    disks = disks.stream().filter(disk -> disk.sizeBytes() > 0).toList();
    failed = List.copyOf(failed);
  }

  /** The diagnosis. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    failed.forEach(
        each ->
            findings.add(
                Finding.problem(
                    DISK,
                    each
                        + ": this broker cannot use the folder; repair its disk, then restart"
                        + " it")));
    for (Disk each : disks) {
      String text =
          "%s has %s of its disk left (%.1f GiB); give it more, or keep topics for less"
              .formatted(each.where(), percent(each), each.freeBytes() / (1L << 30));
      if (each.freePart() < FULL) {
        findings.add(Finding.problem(DISK, text));
      } else if (each.freePart() < LOW) {
        findings.add(Finding.warning(DISK, text));
      }
    }
    Optional<Disk> least = disks.stream().min(Comparator.comparingDouble(Disk::freePart));
    if (findings.isEmpty() && least.isPresent()) {
      findings.add(
          Finding.ok(
              DISK,
              "%s or more is left of every disk that could be looked at (%d)"
                  .formatted(percent(least.get()), disks.size())));
    }
    return findings;
  }

  private static String percent(Disk disk) {
    return String.format(Locale.ROOT, "%.0f %%", disk.freePart() * 100);
  }
}
