package io.quotaenforcer.enforcer.topics;

import java.util.Optional;
import org.apache.kafka.clients.admin.FinalizedVersionRange;

/**
 * Checks that a cluster keeps committed transactions intact, whatever arrives late. Before
 * transactions of version 2 (KIP-890), records that a client sent in one transaction and gave up on
 * could become part of the next, or end it too early: then a ledger's row may be lost, and permits
 * are granted twice.
 */
public final class SafeTransactions {
  private static final String FEATURE = "transaction.version";
  private static final short WANTED = 2;

  private SafeTransactions() {}

  /**
   * The problem and its remedy; empty if transactions are safe.
   *
   * @throws BrokersException if the brokers do not answer
   */
  public static Optional<String> complaint(Brokers brokers) {
    FinalizedVersionRange found =
        brokers
            .get(
                "read the features of the cluster",
                brokers.admin().describeFeatures().featureMetadata())
            .finalizedFeatures()
            .get(FEATURE);
    int version = found == null ? 0 : found.maxVersionLevel();
    return version >= WANTED
        ? Optional.empty()
        : Optional.of(
            "the cluster has transaction.version=%d, and must have 2: else transactions may lose what was committed; use brokers of version 4.0 or newer, and run: kafka-features.sh --bootstrap-server ... upgrade --feature transaction.version=2"
                .formatted(version));
  }
}
