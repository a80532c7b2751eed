package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.enforcer.store.Stores;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the records of the entitlements topic as they are, as a restored store has them, and tells
 * the ledger of each.
 */
final class EntitlementProcessor implements Processor<byte[], byte[], Void, Void> {
  private @Nullable ProcessorContext<?, ?> context;
  private @Nullable KeyValueStore<Bytes, byte[]> store;

  @Override
  public void init(ProcessorContext<Void, Void> processorContext) {
    context = processorContext;
    store = processorContext.getStateStore(Stores.ENTITLEMENTS);
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
