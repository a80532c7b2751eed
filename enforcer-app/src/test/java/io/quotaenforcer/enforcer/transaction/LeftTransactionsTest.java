package io.quotaenforcer.enforcer.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeftTransactionsTest {
  private static final int EPOCH = 7;
  private static final OpenTransaction OPEN =
      new OpenTransaction(new TopicPartition("changelog", 0), 1, EPOCH, 0, 100);

  @Test
  void transaction_thatItsCoordinatorCommitted_isCommitted() {
    assertThat(wasCommitted(TransactionState.COMPLETE_COMMIT, EPOCH)).isTrue();
    assertThat(wasCommitted(TransactionState.COMPLETE_COMMIT, EPOCH + 1)).isTrue();
  }

  @Test
  void transaction_beforeTheLastOne_isNot() {
    assertThat(wasCommitted(TransactionState.COMPLETE_COMMIT, EPOCH + 2)).isFalse();
    assertThat(LeftTransactions.wasCommitted(OPEN, null)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COMPLETE_COMMIT")
  void transaction_inAnyOtherState_isNot(TransactionState state) {
    assertThat(wasCommitted(state, EPOCH)).isFalse();
  }

  private static boolean wasCommitted(TransactionState state, int epoch) {
    return LeftTransactions.wasCommitted(
        OPEN,
        new TransactionDescription(0, state, 1, epoch, 5_000, OptionalLong.empty(), Set.of()));
  }
}
