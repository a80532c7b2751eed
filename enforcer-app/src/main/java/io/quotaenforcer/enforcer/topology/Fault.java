package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.schemas.topic.Wire;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.errors.StreamsException;

/** Whose fault a failure is. */
final class Fault {
  private Fault() {}

  /**
   * Whether it may be the fault of what was read or done, so that it comes again with it. What
   * Kafka, the stores or the network failed by says nothing of that, nor does a registry that is
   * away, nor a machine without memory.
   */
  static boolean mayBeOfInput(Throwable failure) {
    Throwable first = failure;
    while (first.getClass() == StreamsException.class && first.getCause() != null) {
      first = first.getCause();
    }
    if (first instanceof KafkaException) {
      // A producer that cannot commit says so by a failure of its own, caused by the first.
      Throwable cause = first.getCause();
      return isOfRecord(first) || (cause != null && isOfRecord(cause));
    }
    if (first instanceof VirtualMachineError) {
      return first instanceof StackOverflowError;
    }
    return first instanceof Error
        || (first instanceof RuntimeException e && !Wire.isReadableLater(e));
  }

  /** Whether Kafka refuses what was written, and would each time. */
  static boolean isOfRecord(Throwable failure) {
    return failure instanceof RecordTooLargeException
        || failure instanceof RecordBatchTooLargeException
        || failure instanceof InvalidRecordException
        || failure instanceof SerializationException;
  }
}
