package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Check.BROKERS;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A cluster's features and replicas.
 *
 * @param metadataVersion level of the feature that brokers raise with each release; 0 if they have
 *     none
 * @param transactions why transactions are unsafe, and what to do
 * @param lacking partitions with replicas that are behind or gone
 */
public record BrokerFacts(
    int metadataVersion, Optional<String> transactions, List<Lacking> lacking) {
  /** First level of {@code metadata.version} of a release (Kafka's {@code MetadataVersion}). */
  private static final List<Release> RELEASES =
      List.of(
          new Release(30, "4.3"),
          new Release(28, "4.2"),
          new Release(26, "4.1"),
          new Release(22, "4.0"),
          new Release(1, "3"));

  private static final int NEWEST_KNOWN = 30;

  private record Release(int level, String name) {}

  /**
   * A partition with replicas that are behind or gone.
   *
   * @param inSync replicas that have everything
   * @param least replicas that must, for anything to be written
   */
  public record Lacking(
      String topic, int partition, boolean hasLeader, int inSync, int replicas, int least) {
    private boolean isStopped() {
      return !hasLeader || inSync < least;
    }
  }

  public BrokerFacts {
    lacking = List.copyOf(lacking);
  }

  /** The diagnosis. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    transactions.ifPresentOrElse(
        complaint -> findings.add(Finding.problem(BROKERS, complaint)),
        () ->
            findings.add(
                Finding.ok(
                    BROKERS,
                    "Kafka %s (metadata.version=%d), transactions of version 2"
                        .formatted(release(metadataVersion), metadataVersion))));
    List<Lacking> stopped = lacking.stream().filter(Lacking::isStopped).toList();
    List<Lacking> behind = lacking.stream().filter(each -> !each.isStopped()).toList();
    if (!stopped.isEmpty()) {
      findings.add(
          Finding.problem(
              BROKERS,
              "nothing can be written to %s: brokers are gone or behind; start them, and look into their logs and disks"
                  .formatted(text(stopped))));
    }
    if (!behind.isEmpty()) {
      findings.add(
          Finding.warning(
              BROKERS,
              "replicas are behind or gone in %s: one more broker that fails may stop these partitions; start the missing brokers, and look into their logs and disks"
                  .formatted(text(behind))));
    }
    return findings;
  }

  /** The release that brokers have raised their metadata to. */
  static String release(int level) {
    if (level > NEWEST_KNOWN) {
      return "newer than 4.3";
    }
    return RELEASES.stream()
        .filter(release -> level >= release.level)
        .findFirst()
        .map(Release::name)
        .orElse("of an unknown version");
  }

  private static String text(List<Lacking> partitions) {
    Lacking first = partitions.get(0);
    String one =
        "%s, partition %d (%s)"
            .formatted(
                first.topic(),
                first.partition(),
                first.hasLeader()
                    ? "%d of %d replicas in sync, needs %d"
                        .formatted(first.inSync(), first.replicas(), first.least())
                    : "no leader");
    return partitions.size() == 1
        ? one
        : "%s and %d other partition(s)".formatted(one, partitions.size() - 1);
  }
}
