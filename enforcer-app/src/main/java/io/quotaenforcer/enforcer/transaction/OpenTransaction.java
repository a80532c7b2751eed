package io.quotaenforcer.enforcer.transaction;

import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.common.TopicPartition;

/**
 * A transaction that the leader of a partition waits for: readers of committed records get no
 * further than its start.
 *
 * @param epoch of the producer
 * @param coordinatorEpoch newest of a coordinator that wrote a marker there
 * @param start offset of its first record
 */
record OpenTransaction(
    TopicPartition partition, long producerId, int epoch, int coordinatorEpoch, long start) {
  static OpenTransaction of(TopicPartition partition, ProducerState state) {
    return new OpenTransaction(
        partition,
        state.producerId(),
        state.producerEpoch(),
        state.coordinatorEpoch().orElse(0),
        state.currentTransactionStartOffset().getAsLong());
  }
}
