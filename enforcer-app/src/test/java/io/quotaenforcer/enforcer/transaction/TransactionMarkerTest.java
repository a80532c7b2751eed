package io.quotaenforcer.enforcer.transaction;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.enforcer.config.KafkaConnection;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TransactionMarkerTest {
  @Test
  void partition_withoutLeader_failsAsBrokersDo() {
    KafkaConnection connection = KafkaConnection.to("127.0.0.1:9", "test");
    OpenTransaction open = new OpenTransaction(new TopicPartition("changelog", 3), 1, 7, 0, 100);

    assertThatThrownBy(() -> TransactionMarker.write(connection, null, open, true))
        .isInstanceOf(KafkaException.class)
        .hasMessage("changelog-3 has no leader");
  }
}
