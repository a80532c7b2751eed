package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class RowCacheTest {
  /** Room for three rows of 100 bytes. */
  private final RowCache cache = new RowCache(1_000);

  @Test
  void row_thatWasPut_isKnown_asItIsLast() {
    cache.put(key(1), new byte[] {1, 9}, 5);
    for (int length : new int[] {1, 2, 20, 400, 3}) {
      byte[] row = new byte[length];
      Arrays.fill(row, (byte) length);
      cache.put(key(1), row, length);

      RowCache.Entry entry = Objects.requireNonNull(cache.get(key(1)));
      assertThat(entry.row()).startsWith(row).hasSizeLessThan(2 * length + 40);
      assertThat(entry.seenToUntil()).isEqualTo(length);
    }
    assertThat(cache.get(key(2))).isNull();
  }

  @Test
  void row_thatTakesThePlaceOfAnother_leavesTheArrayThatWasPut() {
    byte[] first = new byte[100];
    cache.put(key(1), first, 0);
    cache.put(key(1), new byte[] {1}, 0);
    cache.put(key(1), new byte[] {2}, 0);

    assertThat(first).containsOnly(0);
  }

  @Test
  void row_thatWasRead_staysAsItWas() {
    cache.put(key(1), new byte[] {1, 2}, 0);
    byte[] read = Objects.requireNonNull(cache.get(key(1))).row();
    cache.put(key(1), new byte[] {3, 4}, 0);

    assertThat(read).startsWith(1, 2);
  }

  @Test
  void row_thatWasRemoved_isUnknown_andLeavesItsRoom() {
    put(1, 2, 3);
    cache.remove(key(2));
    cache.remove(key(9));
    put(4);

    assertThat(known(4)).containsExactly(1, 3, 4);
  }

  @Test
  void oldestRow_isForgotten_exceptOnceWhenItIsUsedAgain() {
    put(1, 2, 3);
    cache.get(key(1));
    put(4);
    assertThat(known(4)).containsExactly(1, 3, 4);

    RowCache another = new RowCache(1_000);
    IntStream.rangeClosed(1, 3).forEach(i -> another.put(key(i), new byte[100], 0));
    another.get(key(1));
    IntStream.rangeClosed(4, 7).forEach(i -> another.put(key(i), new byte[100], 0));
    assertThat(IntStream.rangeClosed(1, 7).filter(i -> another.get(key(i)) != null))
        .containsExactly(5, 6, 7);
  }

  @Test
  void rowThatGrows_makesOthersGo_evenItself() {
    put(1, 2, 3);
    cache.put(key(3), new byte[600], 0);
    assertThat(known(3)).containsExactly(3);

    cache.put(key(3), new byte[5_000], 0);
    assertThat(known(3)).isEmpty();
    put(1, 2, 3);
    assertThat(known(3)).containsExactly(1, 2, 3);
  }

  private void put(int... keys) {
    for (int i : keys) {
      cache.put(key(i), new byte[100], 0);
    }
  }

  private int[] known(int last) {
    return IntStream.rangeClosed(1, last).filter(i -> cache.get(key(i)) != null).toArray();
  }

  private static Bytes key(int number) {
    return Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }
}
