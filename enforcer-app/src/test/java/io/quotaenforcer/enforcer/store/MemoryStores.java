package io.quotaenforcer.enforcer.store;

import java.time.Duration;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;

/** Stores in memory, without changelog, of a context without topology. */
public final class MemoryStores {
  private final MockProcessorContext<?, ?> context;

  public MemoryStores(MockProcessorContext<?, ?> context) {
    this.context = context;
  }

  public KeyValueStore<Bytes, byte[]> keyValue(String name) {
    return open(
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
            .withLoggingDisabled()
            .build());
  }

  public WindowStore<Bytes, byte[]> ids(String name) {
    return open(
        Stores.windowStoreBuilder(
                Stores.inMemoryWindowStore(
                    name, Duration.ofMinutes(30), Duration.ofMillis(1), false),
                Serdes.Bytes(),
                Serdes.ByteArray())
            .withLoggingDisabled()
            .build());
  }

  private <S extends StateStore> S open(S store) {
    store.init(context.getStateStoreContext(), store);
    context.addStateStore(store);
    return store;
  }
}
