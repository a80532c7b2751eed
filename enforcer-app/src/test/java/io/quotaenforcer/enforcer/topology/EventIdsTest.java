package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventIdsTest {
  private static final long NOW = 1_800_000_000_000L;

  private final WindowStore<Bytes, byte[]> store =
      Stores.inMemoryWindowStore("ids", Duration.ofHours(1), Duration.ofMillis(1), false).get();
  private EventIds ids = new EventIds(store, Long.MIN_VALUE);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a-0",
        "a-1",
        "a-511",
        "a-512",
        "a-01",
        "a-",
        "-1",
        "a-999999999999999999",
        "a-9999999999999999999",
        "a-1x",
        "1",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "ä-7"
      })
  void id_isNewOnce_alsoForASuccessor(String id) {
    assertThat(ids.isNew(id, NOW)).isTrue();
    assertThat(ids.isNew(id, NOW)).isFalse();
    ids.write();
    assertThat(ids.isNew(id, NOW)).isFalse();
    takeOver();
    assertThat(ids.isNew(id, NOW)).isFalse();
  }

  @Test
  void ids_thatDifferLittle_areAllNew() {
    for (String id : new String[] {"a-1", "a-01", "a-2", "b-1", "a--1", "a-513", "-1", "1", "a1"}) {
      assertThat(ids.isNew(id, NOW)).as(id).isTrue();
    }
  }

  @Test
  void id_ofAnotherMinute_isAnotherEvents() {
    assertThat(ids.isNew("a-1", NOW)).isTrue();
    assertThat(ids.isNew("a-1", NOW + 60_000)).isTrue();
  }

  @Test
  void id_thatWasNotCommitted_isNewForASuccessor() {
    ids.isNew("a-1", NOW);
    takeOver();

    assertThat(ids.isNew("a-1", NOW)).isTrue();
  }

  @Test
  void numberedIds_takeOneRowForMany() {
    for (int i = 0; i < 5_000; i++) {
      ids.isNew("emitter-" + i, NOW);
    }
    ids.write();

    int rows = 0;
    try (var all = store.all()) {
      while (all.hasNext()) {
        all.next();
        rows++;
      }
    }
    assertThat(rows).isEqualTo(10);
  }

  @Test
  void id_thatAnOlderEnforcerKeptSingly_isKnown_asLongAsThereMayBeAny() {
    store.put(Bytes.wrap("a-1".getBytes(StandardCharsets.UTF_8)), new byte[] {1}, NOW);

    assertThat(new EventIds(store, NOW + 1).isNew("a-1", NOW)).isFalse();
    assertThat(new EventIds(store, NOW + 1).isNew("a-2", NOW)).isTrue();
    assertThat(new EventIds(store, NOW).isNew("a-1", NOW)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void ids_inAnyOrder_withCommitsAndTakeovers_areNewOnce(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      String id = "e" + random.nextInt(30) + "-" + random.nextInt(2_000);
      long time = NOW + id.hashCode() % 200_000;
      assertThat(ids.isNew(id, time)).as("seed=%d id=%s", seed, id).isEqualTo(seen.add(id));
      if (random.nextInt(100) == 0) {
        ids.write();
        if (random.nextInt(5) == 0) {
          takeOver();
        }
      }
    }
  }

  private void takeOver() {
    ids = new EventIds(store, Long.MIN_VALUE);
  }
}
