package io.quotaenforcer.enforcer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;

class BoundedRocksDbTest {
  @TempDir Path folder;

  @Test
  void stores_severalOpen_shareOneBudgetUntilTheLastHasClosed() {
    RocksMemory memory = new RocksMemory(16L << 20);
    assertThat(memory.isFree()).isTrue();

    try (TopologyTestDriver driver = driver(memory)) {
      KeyValueStore<Bytes, byte[]> first = driver.getKeyValueStore("first");
      KeyValueStore<Bytes, byte[]> second = driver.getKeyValueStore("second");
      first.put(Bytes.wrap(new byte[] {1}), new byte[] {2});
      second.put(Bytes.wrap(new byte[] {1}), new byte[] {3});
      first.flush();

      assertThat(first.get(Bytes.wrap(new byte[] {1}))).containsExactly(2);
      assertThat(second.get(Bytes.wrap(new byte[] {1}))).containsExactly(3);
      assertThat(memory.isFree()).isFalse();
    }

    assertThat(memory.isFree()).isTrue();
  }

  @Test
  void memory_afterAllClosed_canBeUsedAgain() {
    RocksMemory memory = new RocksMemory(16L << 20);
    driver(memory).close();

    try (TopologyTestDriver driver = driver(memory)) {
      driver.getKeyValueStore("first").put(Bytes.wrap(new byte[] {1}), new byte[] {2});
      assertThat(memory.isFree()).isFalse();
    }
    assertThat(memory.isFree()).isTrue();
  }

  @Test
  void store_withoutAMemory_isRefused() {
    try (Options options = new Options()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new BoundedRocksDb().setConfig("a", options, Map.of()))
          .withMessage("must be a RocksMemory: quota.rocksdb.memory");
    }
  }

  private TopologyTestDriver driver(RocksMemory memory) {
    Topology topology = new Topology();
    topology.addSource("in", "in");
    topology.addProcessor("processor", Ignoring::new, "in");
    topology.addStateStore(Stores.keyValue("first"), "processor");
    topology.addStateStore(Stores.keyValue("second"), "processor");
    Properties properties = new Properties();
    properties.put("application.id", "test");
    properties.put("bootstrap.servers", "127.0.0.1:1");
    properties.put("state.dir", folder.toString());
    properties.put("default.key.serde", Serdes.ByteArraySerde.class);
    properties.put("default.value.serde", Serdes.ByteArraySerde.class);
    properties.put("rocksdb.config.setter", BoundedRocksDb.class);
    properties.put(BoundedRocksDb.MEMORY, memory);
    TopologyTestDriver driver = new TopologyTestDriver(topology, properties);
    return driver;
  }

  private static final class Ignoring implements Processor<byte[], byte[], Void, Void> {
    @Override
    public void process(Record<byte[], byte[]> message) {}
  }
}
