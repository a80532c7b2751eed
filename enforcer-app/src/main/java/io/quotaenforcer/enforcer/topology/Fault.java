package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.schemas.topic.Wire;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.errors.StreamsException;

/** Attributes a failure to its cause. */
final class Fault {
  private Fault() {}

  /**
   * Whether the input or the work may be at fault, so that the failure returns with it. Failures of
   * Kafka, the stores, the network or a registry, and lack of memory, say nothing of that.
   */
  static boolean mayBeOfInput(Throwable failure) {
    Throwable first = failure;
    while (first.getClass() == StreamsException.class && first.getCause() != null) {
      first = first.getCause();
    }
    if (first instanceof KafkaException) {
      // A producer that cannot commit reports a failure of its own, caused by the first.
      Throwable cause = first.getCause();
      return isOfRecord(first) || (cause != null && isOfRecord(cause));
    }
    if (first instanceof VirtualMachineError) {
      return first instanceof StackOverflowError;
    }
    return first instanceof Error
        || (first instanceof RuntimeException e && !Wire.isReadableLater(e));
  }

  /** Whether brokers, the network or a registry are at fault: nothing that a restart would help. */
  static boolean isOfOthers(Throwable failure) {
    Throwable first = failure;
    while (first.getClass() == StreamsException.class && first.getCause() != null) {
      first = first.getCause();
    }
    return (first instanceof KafkaException
            && !(first instanceof StreamsException)
            && !isOfRecord(first))
        || (first instanceof RuntimeException e && Wire.isReadableLater(e));
  }

  /** Whether Kafka refuses the written record, and would each time. */
  static boolean isOfRecord(Throwable failure) {
    return failure instanceof RecordTooLargeException
        || failure instanceof RecordBatchTooLargeException
        || failure instanceof InvalidRecordException
        || failure instanceof SerializationException;
  }
}
