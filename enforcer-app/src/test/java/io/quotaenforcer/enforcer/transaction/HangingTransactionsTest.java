package io.quotaenforcer.enforcer.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.transaction.OwnRecords.Outcome;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HangingTransactionsTest {
  private static final TopicPartition LEDGER = new TopicPartition("ledger-changelog", 0);
  private static final TopicPartition OFFSETS = new TopicPartition("__consumer_offsets", 7);
  private static final long PRODUCER = 4;
  private static final OpenTransaction OPEN = new OpenTransaction(LEDGER, PRODUCER, 11, 0, 1846);

  private static Map<Long, TransactionDescription> coordinated(
      TransactionState state, int epoch, Set<TopicPartition> partitions) {
    return Map.of(
        PRODUCER,
        new TransactionDescription(
            1, state, PRODUCER, epoch, 5_000, OptionalLong.of(1), partitions));
  }

  private static boolean isSuspect(TransactionState state, int epoch, TopicPartition... known) {
    return !HangingTransactions.suspects(List.of(OPEN), coordinated(state, epoch, Set.of(known)))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"EMPTY", "COMPLETE_ABORT", "COMPLETE_COMMIT"})
  void suspects_transactionThatItsCoordinatorHasEnded_is(TransactionState state) {
    assertThat(isSuspect(state, 12)).isTrue();
    assertThat(isSuspect(state, 11)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"PREPARE_ABORT", "PREPARE_COMMIT", "PREPARE_EPOCH_FENCE", "UNKNOWN"})
  void suspects_transactionThatIsJustEnded_isNot(TransactionState state) {
    assertThat(isSuspect(state, 12)).isFalse();
  }

  @Test
  void suspects_ongoingTransaction_onlyIfItIsALaterOne_orHasNothingInThePartition() {
    assertThat(isSuspect(TransactionState.ONGOING, 11, LEDGER)).isFalse();
    assertThat(isSuspect(TransactionState.ONGOING, 12, LEDGER)).isTrue();
    assertThat(isSuspect(TransactionState.ONGOING, 11, OFFSETS)).isTrue();
  }

  @Test
  void suspects_producerThatNoCoordinatorKnows_is() {
    assertThat(HangingTransactions.suspects(List.of(OPEN), Map.of())).containsExactly(OPEN);
  }

  @Test
  void outcome_allParts_asTheProcessWasTold() {
    OwnRecords own = new OwnRecords();
    OpenTransaction offsets = new OpenTransaction(OFFSETS, PRODUCER, 11, 0, 40);
    List<OpenTransaction> both = List.of(OPEN, offsets);
    assertThat(HangingTransactions.outcome(List.of(offsets), own)).isEqualTo(Outcome.UNCONFIRMED);
    assertThat(HangingTransactions.outcome(both, own))
        .as("written by another process")
        .isEqualTo(Outcome.UNKNOWN);

    OwnRecords.Transaction producer = own.of("counting-1");
    producer.taken(LEDGER, 1846);
    assertThat(HangingTransactions.outcome(both, own)).isEqualTo(Outcome.UNCONFIRMED);
    producer.committed();
    assertThat(HangingTransactions.outcome(both, own)).isEqualTo(Outcome.CONFIRMED);
  }

  @Test
  void outcome_partsThatContradictEachOther_isUnknown() {
    OwnRecords own = new OwnRecords();
    TopicPartition other = new TopicPartition("ledger-changelog", 1);
    OwnRecords.Transaction producer = own.of("counting-1");
    producer.taken(LEDGER, 1846);
    producer.committed();
    producer.taken(other, 3);

    assertThat(
            HangingTransactions.outcome(
                List.of(OPEN, new OpenTransaction(other, PRODUCER, 11, 0, 3)), own))
        .isEqualTo(Outcome.UNKNOWN);
  }
}
