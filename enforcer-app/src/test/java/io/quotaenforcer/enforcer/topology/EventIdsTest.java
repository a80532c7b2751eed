package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventIdsTest {
  private static final long NOW = 1_800_000_000_000L;
  private static final long MINUTE = 60_000;
  private static final Duration RETENTION = Duration.ofMinutes(10);

  private final WindowStore<Bytes, byte[]> store =
      Stores.inMemoryWindowStore("ids", Duration.ofHours(1), Duration.ofMillis(1), false).get();
  private long now = NOW;
  private EventIds ids = ids(Long.MIN_VALUE);

  private EventIds ids(long singlyUntilMillis) {
    return new EventIds(store, () -> now, RETENTION, singlyUntilMillis);
  }

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

  @ParameterizedTest
  @ValueSource(strings = {"a-1", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"})
  void id_thatComesAgainWithAnotherTime_isKnown(String id) {
    assertThat(ids.isNew(id, NOW)).isTrue();
    for (long time : new long[] {NOW + 1, NOW + MINUTE, NOW - 7 * MINUTE, NOW + 50 * MINUTE}) {
      assertThat(ids.isNew(id, time)).as("%d", time - NOW).isFalse();
    }
    ids.write();
    takeOver();

    assertThat(ids.isNew(id, NOW - 8 * MINUTE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a-1", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"})
  void id_ofALateEvent_isRememberedSinceItCame(String id) {
    ids.isNew(id, NOW - 9 * MINUTE);
    ids.write();
    now += RETENTION.toMillis();
    takeOver();

    assertThat(ids.isNew(id, now)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a-1", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"})
  void id_ofAnEventThatIsAhead_isRememberedSinceItsTime(String id) {
    ids.isNew(id, NOW + 30 * MINUTE);
    ids.write();
    now += 39 * MINUTE;
    takeOver();

    assertThat(ids.isNew(id, NOW + 30 * MINUTE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a-1", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"})
  void id_afterTheRetention_isNewAgain(String id) {
    ids.isNew(id, NOW);
    ids.write();
    now += RETENTION.toMillis() + 2 * MINUTE;
    takeOver();

    assertThat(ids.isNew(id, now)).isTrue();
  }

  @Test
  void rowsOfOlderEnforcers_underTheMinutesOfEvents_areKnownTogether() {
    ids.isNew("a-1", NOW);
    ids.write();
    KeyValue<Windowed<Bytes>, byte[]> first = onlyRow();
    byte[] other = first.value.clone();
    other[0] <<= 1;
    store.put(first.key.key(), other, first.key.window().start() - 5 * MINUTE);
    takeOver();

    assertThat(ids.isNew("a-1", NOW)).isFalse();
    assertThat(ids.isNew("a-2", NOW)).isFalse();
    assertThat(ids.isNew("a-3", NOW)).isTrue();
    ids.write();
    assertThat(rows()).isOne();
  }

  private KeyValue<Windowed<Bytes>, byte[]> onlyRow() {
    try (var all = store.all()) {
      return all.next();
    }
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

    assertThat(rows()).isEqualTo(10);
  }

  @Test
  void numberedIds_overManyMinutes_takeOneRow() {
    for (int i = 0; i < 9; i++) {
      ids.isNew("emitter-" + i, now);
      ids.write();
      now += MINUTE;
    }

    assertThat(rows()).isOne();
    takeOver();
    assertThat(ids.isNew("emitter-0", now)).isFalse();
  }

  private int rows() {
    int rows = 0;
    try (var all = store.all()) {
      while (all.hasNext()) {
        all.next();
        rows++;
      }
    }
    return rows;
  }

  @Test
  void id_thatAnOlderEnforcerKeptSingly_isKnown_asLongAsThereMayBeAny() {
    store.put(Bytes.wrap("a-1".getBytes(StandardCharsets.UTF_8)), new byte[] {1}, NOW);

    assertThat(ids(NOW + 1).isNew("a-1", NOW + MINUTE)).isFalse();
    assertThat(ids(NOW + 1).isNew("a-2", NOW)).isTrue();
    assertThat(ids(NOW - RETENTION.toMillis()).isNew("a-1", NOW)).isTrue();
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
    ids = ids(Long.MIN_VALUE);
  }
}
