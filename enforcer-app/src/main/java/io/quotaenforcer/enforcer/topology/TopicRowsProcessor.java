package io.quotaenforcer.enforcer.topology;

import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the records of a topic as they are, as a restored store has them, and tells the ledger of
 * each.
 */
final class TopicRowsProcessor implements Processor<byte[], byte[], Void, Void> {
  private final String storeName;
  private @Nullable ProcessorContext<?, ?> context;
  private @Nullable KeyValueStore<Bytes, byte[]> store;

  /**
   * @param storeName of the store whose changelog the topic is
   */
  TopicRowsProcessor(String storeName) {
    this.storeName = storeName;
  }

  @Override
  public void init(ProcessorContext<Void, Void> processorContext) {
    context = processorContext;
    store = processorContext.getStateStore(storeName);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    Objects.requireNonNull(store).put(Bytes.wrap(record.key()), record.value());
    // Kafka Streams has read-only stores filled by processors that forward nothing, by their type.
    @SuppressWarnings("unchecked")
    ProcessorContext<byte[], byte[]> onwards =
        (ProcessorContext<byte[], byte[]>) Objects.requireNonNull(context);
    onwards.forward(record, EnforcerTopology.LEDGER);
  }
}
