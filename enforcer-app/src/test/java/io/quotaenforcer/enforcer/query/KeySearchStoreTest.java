package io.quotaenforcer.enforcer.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.enforcer.store.BoundedRocksDb;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.RocksMemory;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.enforcer.store.WindowCounts;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Searches in a store of RocksDB with many quota keys. A stream thread that counts waits for a
 * search while that looks up where to begin, so that a search must be short wherever it begins.
 * Measured is the processor time of one, which others on the machine do not change.
 */
class KeySearchStoreTest {
  /** {@code -Dsearch.keys=1000000} takes more. */
  private static final int MANY = Integer.getInteger("search.keys", 200_000);

  private static final int PAGE = 200;
  private static final int SEARCHES = 300;
  private static final String PREFIX = "posts/per-user/";
  private static final RuleId RULE = new RuleId("posts", "per-user");
  private static final byte[] ROW =
      KeyLedgerCodec.write(
          KeyLedger.first(1, new FixedWindow(10, 1_000_000_000L), 1, 5_000_000_000L));
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  @TempDir Path folder;

  private TopologyTestDriver driver;
  private KeyValueStore<Bytes, byte[]> store;

  @BeforeEach
  void fill() {
    Topology topology = new Topology();
    topology.addSource("in", "in");
    topology.addProcessor("processor", Ignoring::new, "in");
    topology.addStateStore(Stores.ofTopic(Stores.LEDGER), "processor");
    Properties properties = new Properties();
    properties.put("application.id", "test");
    properties.put("bootstrap.servers", "127.0.0.1:1");
    properties.put("state.dir", folder.toString());
    properties.put("default.key.serde", Serdes.ByteArraySerde.class);
    properties.put("default.value.serde", Serdes.ByteArraySerde.class);
    properties.put("rocksdb.config.setter", BoundedRocksDb.class);
    properties.put(BoundedRocksDb.MEMORY, new RocksMemory(16L << 20));
    driver = new TopologyTestDriver(topology, properties);
    store = driver.getKeyValueStore(Stores.LEDGER);
    for (int i = 0; i < MANY; i++) {
      store.put(row(i), ROW);
    }
  }

  @AfterEach
  void close() {
    driver.close();
  }

  private static Bytes row(int user) {
    return WindowCounts.ledgerKey(QuotaKey.of(RULE, List.of(user(user))));
  }

  private static String user(int user) {
    return "user-%07d".formatted(user);
  }

  private Page<KeyFacts> search(String prefix, String after) {
    return PartitionKeys.search(store, prefix, after, PAGE, 0);
  }

  @Test
  void search_amongManyKeys_isShort_whereverItBegins() {
    SplittableRandom random = new SplittableRandom(1);
    assertThat(p99(i -> search(PREFIX, PREFIX + user(random.nextInt(MANY)))))
        .as("a page")
        .isLessThan(Duration.ofMillis(50));
    assertThat(p99(i -> search(PREFIX + user(random.nextInt(MANY)).substring(0, 10), "")))
        .as("a beginning")
        .isLessThan(Duration.ofMillis(50));
    assertThat(p99(i -> search(PREFIX + user(random.nextInt(MANY)) + "x", "")))
        .as("of no key")
        .isLessThan(Duration.ofMillis(20));
    assertThat(p99(i -> search(i % 2 == 0 ? "a/nobody/" : "z/nobody/", "")))
        .as("before and after all")
        .isLessThan(Duration.ofMillis(20));
  }

  @Test
  void pages_tellAllOfManyKeys_onceEach() {
    String after = "";
    int found = 0;
    while (true) {
      Page<KeyFacts> page = search(PREFIX, after);
      for (KeyFacts key : page.rows()) {
        assertThat(key.quotaKey()).isEqualTo(PREFIX + user(found));
        found++;
      }
      if (!page.more()) {
        break;
      }
      after = PREFIX + user(found - 1);
    }
    assertThat(found).isEqualTo(MANY);
  }

  /** Deleted rows stay in the way until RocksDB has merged its files. */
  @Test
  void search_whereManyKeysWereForgotten_isShort() {
    for (int i = 0; i < MANY; i++) {
      store.delete(row(i));
    }
    assertThat(search(PREFIX, "").rows()).isEmpty();
    assertThat(p99(i -> search(PREFIX, ""))).isLessThan(Duration.ofMillis(100));
  }

  /** Of the times that one search takes of the processor. */
  private static Duration p99(IntFunction<Page<KeyFacts>> search) {
    long[] nanos =
        IntStream.range(0, SEARCHES)
            .mapToLong(
                i -> {
                  long start = THREADS.getCurrentThreadCpuTime();
                  Page<KeyFacts> page = search.apply(i);
                  long taken = THREADS.getCurrentThreadCpuTime() - start;
                  assertThat(page.rows()).hasSizeLessThanOrEqualTo(PAGE);
                  return taken;
                })
            .toArray();
    long p99 = LongStream.of(nanos).sorted().skip(SEARCHES * 99L / 100).findFirst().orElseThrow();
    System.out.printf(
        "p99 of the processor time of a search among %,d keys: %.2f ms%n", MANY, p99 / 1e6);
    return Duration.ofNanos(p99);
  }

  private static final class Ignoring implements Processor<byte[], byte[], Void, Void> {
    @Override
    public void process(Record<byte[], byte[]> message) {}
  }
}
