package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.enforcer.store.CountsRow;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.WindowCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerRowsTest {
  private static final QuotaKey KEY = key("42");

  private final KeyValueStore<Bytes, byte[]> store = Stores.inMemoryKeyValueStore("rows").get();
  private final LedgerRows rows = rows();
  private final List<Long> begun = new ArrayList<>();

  @Test
  void ledger_thatWasPut_isKnownAtOnceAndStoredOnWrite() {
    rows.put(KEY, ledger(7));

    assertThat(rows.ledger(KEY)).contains(ledger(7));
    assertThat(store.get(LedgerRows.row(KEY))).isNull();

    rows.write(0);

    assertThat(KeyLedgerCodec.read(store.get(LedgerRows.row(KEY)))).isEqualTo(ledger(7));
  }

  @Test
  void ledger_thatChangedTwice_isWrittenAsItIsLast() {
    rows.put(KEY, ledger(7));
    rows.put(KEY, ledger(8));
    rows.write(0);

    assertThat(stored(KEY)).isEqualTo(ledger(8));
  }

  @Test
  void ledger_ofAnotherTurn_isReadFromTheStore() {
    rows.put(KEY, ledger(7));
    rows.write(0);

    assertThat(rows().ledger(KEY)).contains(ledger(7));
  }

  @Test
  void ledger_thatWasNotWritten_isNoneForASuccessor() {
    rows.put(KEY, ledger(7));

    assertThat(rows().ledger(KEY)).isEmpty();
  }

  @Test
  void counts_ofAWindow_addUpWithTheStoredOnes() {
    count(rows, 1_000, 3, 1);
    rows.write(0);
    count(rows, 1_000, 2, 0);
    rows.write(0);
    LedgerRows successor = rows();
    successor.ledger(KEY);
    count(successor, 1_000, 1, 1);
    successor.write(0);

    assertThat(counted(1_000)).isEqualTo(new WindowCount(1_000, 6, 2));
  }

  @Test
  void counts_ofTwoWindowsInOneTransaction_areBothWritten_alsoWhenTheOlderComesAgain() {
    count(rows, 1_000, 1, 0);
    count(rows, 2_000, 1, 0);
    rows.write(0);
    count(rows, 1_000, 1, 0);
    rows.write(0);

    assertThat(counted(1_000).used()).isEqualTo(2);
    assertThat(counted(2_000).used()).isEqualTo(1);
  }

  @Test
  void counts_ofAWindowThatALaterOneFollowed_addUp_alsoInAnotherTurn() {
    rows.put(KEY, ledger(1));
    rows.write(0);
    LedgerRows successor = rows();
    successor.ledger(KEY);
    count(successor, 3_000_000_000L, 1, 0);
    count(successor, 4_000_000_000L, 1, 0);
    successor.write(0);
    count(successor, 3_000_000_000L, 1, 0);
    successor.write(0);

    assertThat(counted(3_000_000_000L).used()).isEqualTo(2);
    assertThat(counted(4_000_000_000L).used()).isEqualTo(1);
  }

  @Test
  void counts_ofTheNewestWindows_areInTheLedgersRow_olderOnesMoveTogether() {
    countWindows(rows, 1, 8);
    assertThat(windowsWithRows()).isEmpty();

    countWindows(rows, 9, 9);
    assertThat(windowsWithRows()).containsExactly(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L));

    LedgerRows successor = rows();
    countWindows(successor, 10, 16);
    assertThat(windowsWithRows())
        .containsExactly(
            List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L), LongStream.range(8, 15).boxed().toList());
    assertThat(WindowCounts.of(store, KEY, 3).windows())
        .containsExactly(counted(16), counted(15), counted(14));
    assertThat(WindowCounts.all(store).get(KEY)).hasSize(16).allMatch(count -> count.used() == 1);
  }

  @Test
  void counts_ofAWindowThatMoved_addUp_whereverTheyAre() {
    countWindows(rows, 1, 9);
    count(rows, 3, 5, 1);
    rows.write(0);
    assertThat(counted(3)).isEqualTo(new WindowCount(3, 6, 1));

    countWindows(rows, 10, 15);
    assertThat(windowsWithRows()).hasSize(2);
    assertThat(counted(3)).isEqualTo(new WindowCount(3, 6, 1));
  }

  /** Late counts move to a row of their own, whose newest window may be that of another row. */
  @Test
  void counts_thatMoveToARowThatThereIs_areAddedToIt() {
    countWindows(rows, 1, 9);
    count(rows, 7, 5, 1);
    count(rows, 2, 1, 0);
    rows.write(0);
    assertThat(rows.delete(rows.newest(KEY).orElseThrow())).isTrue();
    count(rows, 7, -1, 0);
    rows.write(0);
    assertThat(rows.delete(rows.newest(KEY).orElseThrow())).isTrue();

    assertThat(windowsWithRows())
        .containsExactly(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L), List.of(2L, 7L, 8L, 9L));
    assertThat(counted(7)).isEqualTo(new WindowCount(7, 5, 1));
    assertThat(counted(2).used()).isEqualTo(2);
    assertThat(counted(9).used()).isEqualTo(1);
  }

  @Test
  void counts_ofWindowsThatEndedTooLongAgo_doNotMove() {
    countWindows(rows, 1, 7);
    for (int i = 8; i <= 10; i++) {
      count(rows, i * 1_000_000_000L, 1, 0);
    }
    rows.write(2_000_000_000L);

    assertThat(windowsWithRows()).containsExactly(List.of(8_000_000_000L));
  }

  @Test
  void count_ofADeletedLedger_isKept_andAddedTo() {
    count(rows, 1_000, 3, 1);
    rows.write(0);
    assertThat(rows.delete(rows.newest(KEY).orElseThrow())).isTrue();
    assertThat(counted(1_000)).isEqualTo(new WindowCount(1_000, 3, 1));

    count(rows, 1_000, 1, 0);
    rows.write(0);
    assertThat(counted(1_000)).isEqualTo(new WindowCount(1_000, 4, 1));
  }

  @Test
  void ledger_thatChangedInThisTransaction_isNotDeleted() {
    rows.put(KEY, ledger(7));

    assertThat(rows.delete(rows.newest(KEY).orElseThrow())).isFalse();
    rows.write(0);
    assertThat(stored(KEY)).isEqualTo(ledger(7));
  }

  @Test
  void deletedCounts_areNoMore_whereverTheyWere() {
    count(rows, 1_000, 1, 0);
    count(rows, 2_000, 1, 0);
    rows.write(0);

    rows.deleteCounts(KEY, 1_999);
    rows.write(0);
    assertThat(WindowCounts.of(store, KEY, 9).windows()).containsExactly(counted(2_000));

    LedgerRows successor = rows();
    successor.deleteCounts(KEY, 2_000);
    successor.write(0);
    assertThat(WindowCounts.of(store, KEY, 9).windows()).isEmpty();
    assertThat(stored(KEY)).isEqualTo(ledger(1));
  }

  @Test
  void deletedCounts_areNoMore_whenTheyMoved_andTheRowIsAsOld() {
    countWindows(rows, 1, 9);

    rows.deleteCounts(KEY, 6);
    rows.write(0);
    assertThat(WindowCounts.of(store, KEY, 99).windows()).hasSize(9);

    rows.deleteCounts(KEY, 7);
    rows.write(0);
    assertThat(WindowCounts.of(store, KEY, 99).windows()).containsExactly(counted(9), counted(8));
  }

  @Test
  void newCounts_areAnnouncedOnceForAllWindowsThatTheyCover() {
    count(rows, 1_000, 1, 0);
    count(rows, 1_500, 1, 0);
    count(rows, 3_000, 1, 0);

    assertThat(begun).containsExactly(1_000L, 3_000L);
  }

  @Test
  void counts_withoutALedger_areRefused() {
    assertThatIllegalStateException()
        .isThrownBy(
            () -> rows.add(KEY, List.of(new WindowCount(0, 1, 0)), (key, window, period) -> 0))
        .withMessage("must have a ledger: quotaKey=d/r/42");
  }

  @Test
  void deletedLedger_isNoMore() {
    rows.put(KEY, ledger(7));
    rows.write(0);

    assertThat(rows.delete(rows.newest(KEY).orElseThrow())).isTrue();
    assertThat(rows.ledger(KEY)).isEmpty();
    assertThat(store.get(LedgerRows.row(KEY))).isNull();
  }

  @Test
  void moreKeysThanAreRemembered_areAllInTheStore() {
    LedgerRows few = new LedgerRows(store, new RowCache(100_000));
    for (int round = 0; round < 2; round++) {
      for (int user = 0; user < 3_000; user++) {
        few.ledger(key("u" + user));
        few.put(key("u" + user), ledger(round));
      }
      few.write(0);
    }

    for (int user = 0; user < 3_000; user++) {
      assertThat(few.ledger(key("u" + user))).contains(ledger(1));
    }
  }

  @Test
  void ledger_thatRests_isKnown_andMayChangeAgain() {
    rows.put(KEY, ledger(7));
    rows.rest();
    assertThat(rows.ledger(KEY)).contains(ledger(7));

    rows.put(KEY, ledger(8));
    rows.rest();
    assertThat(rows.delete(rows.newest(KEY).orElseThrow())).isFalse();
    assertThat(store.get(LedgerRows.row(KEY))).isNull();
    rows.write(0);
    assertThat(stored(KEY)).isEqualTo(ledger(8));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void stepsInAnyOrder_keepEachLedgerAndAllCounts(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<QuotaKey, KeyLedger> ledgers = new HashMap<>();
    Map<QuotaKey, Map<Long, Long>> counts = new HashMap<>();
    for (int step = 0; step < 2_000; step++) {
      QuotaKey key = key("u" + random.nextInt(3));
      switch (random.nextInt(8)) {
        case 0 -> rows.write(0);
        case 1, 2 -> rows.rest();
        case 3 -> {
          boolean there = rows.newest(key).map(rows::delete).orElse(false);
          if (there) {
            ledgers.remove(key);
          }
        }
        default -> {
          assertThat(rows.ledger(key)).isEqualTo(Optional.ofNullable(ledgers.get(key)));
          long window = step / 20 - random.nextInt(12) + 100;
          ledgers.put(key, ledger(step));
          counts.computeIfAbsent(key, first -> new TreeMap<>()).merge(window, 1L, Long::sum);
          rows.put(key, ledger(step));
          rows.add(key, List.of(new WindowCount(window, 1, 0)), (of, start, period) -> start);
        }
      }
    }
    rows.write(0);

    assertThat(counts.keySet()).hasSize(3);
    for (QuotaKey key : counts.keySet()) {
      Map<Long, Long> stored = new TreeMap<>();
      for (WindowCount count : WindowCounts.all(store).get(key)) {
        stored.put(count.windowStartNanos(), count.used());
      }
      assertThat(stored).as("seed " + seed).isEqualTo(counts.get(key));
      assertThat(rows.ledger(key)).isEqualTo(Optional.ofNullable(ledgers.get(key)));
    }
  }

  /** Each announcement covers a thousand nanoseconds. */
  private void count(LedgerRows of, long window, long used, long throttled) {
    of.put(KEY, of.ledger(KEY).orElse(ledger(1)));
    of.add(
        KEY,
        List.of(new WindowCount(window, used, throttled)),
        (key, start, period) -> {
          begun.add(start);
          return start + 999;
        });
  }

  private KeyLedger stored(QuotaKey key) {
    return KeyLedgerCodec.read(store.get(LedgerRows.row(key)));
  }

  /** One permit in each window, written after each. */
  private void countWindows(LedgerRows of, long first, long last) {
    for (long window = first; window <= last; window++) {
      count(of, window, 1, 0);
      of.write(0);
    }
  }

  private WindowCount counted(long window) {
    return WindowCounts.of(store, KEY, 100).windows().stream()
        .filter(count -> count.windowStartNanos() == window)
        .findFirst()
        .orElseThrow();
  }

  /** The windows in each row of counts. */
  private List<List<Long>> windowsWithRows() {
    List<List<Long>> windows = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all =
        store.range(CountsRow.key(KEY, 0), CountsRow.key(KEY, Long.MAX_VALUE))) {
      all.forEachRemaining(
          row ->
              windows.add(
                  CountsRow.read(row.value).stream().map(WindowCount::windowStartNanos).toList()));
    }
    return windows;
  }

  private LedgerRows rows() {
    return new LedgerRows(store, RowCache.oneOf(1));
  }

  private static KeyLedger ledger(long generation) {
    return KeyLedger.first(generation, new FixedWindow(10, 1_000_000_000L), 1, 5_000);
  }

  private static QuotaKey key(String user) {
    return QuotaKey.of(new RuleId("d", "r"), List.of(user));
  }
}
