package io.quotaenforcer.enforcer.transaction;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.internals.Topic;
import org.jspecify.annotations.Nullable;

/**
 * Which open transactions <em>hang</em>: their coordinator has ended them, without a marker in some
 * partition, and will never write one. Brokers do this when a partition has no leader at the moment
 * at which a coordinator ends a transaction: it takes the partition for deleted. Seen with Kafka
 * 4.3 when the only broker is killed and comes back.
 */
final class HangingTransactions {
  private HangingTransactions() {}

  /**
   * Those that their coordinators do not know as open. A transaction that ends just now may be
   * among them: one that is still open when it is looked at again hangs.
   *
   * @param coordinated what coordinators say, by producer; asked after the leaders
   */
  static List<OpenTransaction> suspects(
      List<OpenTransaction> open, Map<Long, TransactionDescription> coordinated) {
    return open.stream().filter(each -> isOver(each, coordinated.get(each.producerId()))).toList();
  }

  private static boolean isOver(
      OpenTransaction open, @Nullable TransactionDescription coordinated) {
    if (coordinated == null) {
      return true;
    }
    TransactionState state = coordinated.state();
    return switch (state) {
      case EMPTY, COMPLETE_ABORT, COMPLETE_COMMIT -> true;
      case ONGOING ->
          coordinated.producerEpoch() > open.epoch()
              || !coordinated.topicPartitions().contains(open.partition());
      case PREPARE_ABORT, PREPARE_COMMIT, PREPARE_EPOCH_FENCE, UNKNOWN -> false;
    };
  }

  /**
   * How the open parts of one producer's transaction are to end: as this process was told, or
   * unconfirmed, as if it had never been. Offsets alone end unconfirmed, as records that are read
   * again are not counted again. Unknown if it is for any part, or they contradict each other.
   */
  static OwnRecords.Outcome outcome(List<OpenTransaction> parts, OwnRecords own) {
    Set<OwnRecords.Outcome> outcomes =
        parts.stream()
            .filter(part -> !part.partition().topic().equals(Topic.GROUP_METADATA_TOPIC_NAME))
            .map(part -> own.outcome(part.partition(), part.start()))
            .collect(Collectors.toSet());
    return switch (outcomes.size()) {
      case 0 -> OwnRecords.Outcome.UNCONFIRMED;
      case 1 -> outcomes.iterator().next();
      default -> OwnRecords.Outcome.UNKNOWN;
    };
  }
}
