package io.quotaenforcer.enforcer.topics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Sends records, and waits until brokers have them. */
final class Sends {
  private Sends() {}

  /**
   * Returns once brokers have all of the records.
   *
   * @param millis longest wait for each
   * @throws ExecutionException if they do not have one; they may have others
   */
  static void all(
      Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records, long millis)
      throws ExecutionException, InterruptedException, TimeoutException {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (ProducerRecord<byte[], byte[]> record : records) {
      Future<RecordMetadata> each = producer.send(record);
      if (each.isDone()) {
        // One that waited in vain for its topic says so here, and the next would wait as long.
        each.get();
      }
      sent.add(each);
    }
    for (Future<RecordMetadata> each : sent) {
      each.get(millis, TimeUnit.MILLISECONDS);
    }
  }
}
