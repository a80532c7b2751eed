package io.quotaenforcer.enforcer.store;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;

/** Makes every store use the shared {@link RocksMemory}. Kafka Streams makes one per store. */
public final class BoundedRocksDb implements RocksDBConfigSetter {
  /** Key of the {@link RocksMemory} among the properties of Kafka Streams. */
  public static final String MEMORY = "quota.rocksdb.memory";

  /** Small, since there is one buffer per store and partition. */
  private static final long WRITE_BUFFER_BYTES = 4L << 20;

  private static final long ARENA_BLOCK_BYTES = 128L << 10;

  private @Nullable RocksMemory memory;

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    if (!(configs.get(MEMORY) instanceof RocksMemory shared)) {
      throw new IllegalArgumentException("must be a RocksMemory: " + MEMORY);
    }
    memory = shared;
    RocksMemory.Native allocated = shared.acquire();
    BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
    table.setBlockCache(allocated.cache());
    table.setCacheIndexAndFilterBlocks(true);
    table.setCacheIndexAndFilterBlocksWithHighPriority(true);
    table.setPinTopLevelIndexAndFilter(true);
    table.setFilterPolicy(allocated.filter());
    options.setTableFormatConfig(table);
    options.setWriteBufferManager(allocated.writeBuffers());
    options.setWriteBufferSize(WRITE_BUFFER_BYTES);
    options.setArenaBlockSize(ARENA_BLOCK_BYTES);
  }

  @Override
  public void close(String storeName, Options options) {
    RocksMemory shared = memory;
    if (shared != null) {
      memory = null;
      shared.release();
    }
  }
}
