package io.quotaenforcer.enforcer.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.transaction.OwnRecords.Outcome;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OwnRecordsTest {
  private static final TopicPartition LEDGER = new TopicPartition("ledger-changelog", 0);
  private static final TopicPartition OTHER = new TopicPartition("ledger-changelog", 1);

  private final OwnRecords own = new OwnRecords();
  private final OwnRecords.Transaction producer = own.of("counting-1");

  @Test
  void outcome_transactionsBeforeAndAfterTheLastConfirmedCommit_differ() {
    producer.taken(LEDGER, 10);
    producer.taken(LEDGER, 11);
    producer.committed();

    assertThat(own.outcome(LEDGER, 13)).isEqualTo(Outcome.UNCONFIRMED);
    assertThat(own.outcome(LEDGER, 10)).isEqualTo(Outcome.CONFIRMED);
    assertThat(own.outcome(LEDGER, 11)).isEqualTo(Outcome.CONFIRMED);
  }

  @Test
  void outcome_transactionOfBeforeThisProcess_isUnknown() {
    producer.taken(LEDGER, 10);

    assertThat(own.outcome(LEDGER, 9)).isEqualTo(Outcome.UNKNOWN);
    assertThat(own.outcome(LEDGER, 10)).isEqualTo(Outcome.UNCONFIRMED);
    assertThat(own.outcome(OTHER, 10)).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void committed_afterAnAbort_confirmsOnlyWhatCameSince() {
    producer.taken(LEDGER, 10);
    producer.aborted();
    producer.taken(OTHER, 5);
    producer.committed();

    assertThat(own.outcome(LEDGER, 10)).isEqualTo(Outcome.UNCONFIRMED);
    assertThat(own.outcome(OTHER, 5)).isEqualTo(Outcome.CONFIRMED);
  }

  @Test
  void committed_byOneProducer_confirmsNothingOfAnother() {
    OwnRecords.Transaction second = own.of("counting-1");
    producer.taken(LEDGER, 10);
    second.taken(OTHER, 5);
    second.committed();

    assertThat(own.outcome(LEDGER, 10)).isEqualTo(Outcome.UNCONFIRMED);
  }

  @Test
  void transactionalIds_ofThisProcess_areKnown() {
    assertThat(own.isOurs("counting-1")).isTrue();
    assertThat(own.isOurs("counting-2")).isFalse();
  }
}
