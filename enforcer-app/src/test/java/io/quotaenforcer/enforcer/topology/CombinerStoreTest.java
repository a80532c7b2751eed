package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

class CombinerStoreTest {
  private static final Bytes OWN_ROW = Bytes.wrap(new byte[] {0});

  private final KeyValueStore<Bytes, byte[]> store = Stores.inMemoryKeyValueStore("rows").get();
  private final CountedEvents counted = new CountedEvents();

  @Test
  void successor_goesOnInTheSameEpoch() {
    CombinerStore first = new CombinerStore(store, () -> 5);
    first.begin(counted);
    CombinerStore successor = new CombinerStore(store, () -> 6);

    assertThat(successor.epoch()).isEqualTo(first.epoch());
    assertThat(successor.singlyUntilMillis()).isEqualTo(5);
    assertThat(counted.isEmpty()).isTrue();
  }

  @Test
  void storeThatNothingWasCountedIn_leavesItsSuccessorToBegin() {
    CombinerStore first = new CombinerStore(store, () -> 5);

    assertThat(new CombinerStore(store, () -> 6).epoch()).isNotEqualTo(first.epoch());
  }

  @Test
  void storeOfANewerEnforcer_withALongerRow_isNotTakenForAnOlderOne() {
    store.put(OWN_ROW, ByteBuffer.allocate(25).put((byte) 2).putLong(77).putLong(9).array());

    assertThatIllegalStateException()
        .isThrownBy(() -> new CombinerStore(store, () -> 5))
        .withMessageContaining("run the enforcer version that wrote the state");
  }

  @Test
  void storeOfAnOlderEnforcer_beginsAnEpoch_withTheCountsThatWereLeft() {
    store.put(OWN_ROW, ByteBuffer.allocate(16).putLong(77).putLong(9).array());
    store.put(old("d/r/42", 3, 1_000), counts(4, 1));
    store.put(old("d/r/42", 3, 2_000), counts(2, 0));

    CombinerStore opened = new CombinerStore(store, () -> 5);
    opened.begin(counted);

    assertThat(opened.epoch()).isNotEqualTo(77);
    List<CellUsage> cells =
        counted
            .take(HolderId.Combiner.of(0), opened.epoch(), 1)
            .get(0)
            .get(0)
            .quotas()
            .get(0)
            .cells();
    assertThat(cells)
        .containsExactlyInAnyOrder(
            CellUsage.of(-1, 1_000).withTaken(4).withThrottled(1).asClosed(),
            CellUsage.of(-2, 2_000).withTaken(2).asClosed());
    assertThat(new CombinerStore(store, () -> 6).epoch()).isEqualTo(opened.epoch());
    opened.begin(counted);
    assertThat(counted.isEmpty()).isTrue();
  }

  @Test
  void storeOfANewerEnforcer_isRefused() {
    byte[] row = new byte[17];
    row[0] = 9;
    store.put(OWN_ROW, row);

    assertThatIllegalStateException()
        .isThrownBy(() -> new CombinerStore(store, () -> 0))
        .withMessageContaining("a combiner row has format version 9, this enforcer reads 1");
  }

  private static Bytes old(String key, long generation, long window) {
    byte[] text = key.getBytes(StandardCharsets.UTF_8);
    return Bytes.wrap(
        ByteBuffer.allocate(text.length + 17)
            .put(text)
            .put((byte) 0)
            .putLong(generation)
            .putLong(window)
            .array());
  }

  private static byte[] counts(long used, long throttled) {
    return ByteBuffer.allocate(16).putLong(used).putLong(throttled).array();
  }
}
