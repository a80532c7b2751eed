package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashedRowsTest {
  private final HashedRows rows = new HashedRows(2);

  private void put(long hash, long value) {
    int row = rows.find(hash);
    if (row < 0) {
      row = rows.add(hash);
      assertThat(rows.get(row, 0)).isZero();
    }
    rows.set(row, 0, value);
    rows.set(row, 1, -value);
  }

  private Long get(long hash) {
    int row = rows.find(hash);
    if (row < 0) {
      return null;
    }
    assertThat(rows.get(row, 1)).isEqualTo(-rows.get(row, 0));
    return rows.get(row, 0);
  }

  /** Few values of the upper half: rows stand in each other's way, also round the end. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1_000, Integer.MAX_VALUE})
  void rows_anyCourse_areThoseOfAMap(int homes) {
    long seed = 7;
    Random random = new Random(seed);
    long[] hashes =
        LongStream.range(1, 3_000)
            .map(low -> (long) -random.nextInt(homes) << Integer.SIZE | low)
            .toArray();
    Map<Long, Long> map = new HashMap<>();
    for (int step = 0; step < 50_000; step++) {
      long hash = hashes[random.nextInt(1 + random.nextInt(hashes.length))];
      int row = rows.find(hash);
      if (random.nextInt(5_000) == 0) {
        long least = random.nextInt(50_000);
        rows.removeIf(at -> rows.get(at, 0) < least);
        map.values().removeIf(value -> value < least);
      } else if (row >= 0 && random.nextInt(3) > 0) {
        rows.remove(row);
        map.remove(hash);
      } else {
        put(hash, step);
        map.put(hash, (long) step);
      }
      assertThat(get(hash)).as("seed %d, step %d", seed, step).isEqualTo(map.get(hash));
      assertThat(rows.size()).isEqualTo(map.size());
    }
    for (long hash : hashes) {
      assertThat(get(hash)).as("seed %d, hash %x", seed, hash).isEqualTo(map.get(hash));
    }
  }

  @Test
  void find_hashOfAnEmptySlot_isFoundAsAnyOther() {
    assertThat(rows.find(0)).isNegative();
    put(0, 5);
    assertThat(get(0)).isEqualTo(5);
  }

  @Test
  void removeIf_all_leavesNone() {
    for (int i = 0; i < 1_000; i++) {
      put((long) i << Integer.SIZE + 20 | i, i);
    }

    rows.removeIf(row -> true);

    assertThat(rows.size()).isZero();
    assertThat(get(1L << Integer.SIZE + 20 | 1)).isNull();
  }
}
