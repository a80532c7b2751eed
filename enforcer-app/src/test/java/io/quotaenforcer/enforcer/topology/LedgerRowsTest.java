package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.WindowCountRow;
import io.quotaenforcer.enforcer.store.WindowCounts;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

class LedgerRowsTest {
  private static final QuotaKey KEY = key("42");

  private final KeyValueStore<Bytes, byte[]> store = Stores.inMemoryKeyValueStore("rows").get();
  private final LedgerRows rows = new LedgerRows(store, 1);
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

    assertThat(new LedgerRows(store, 1).ledger(KEY)).contains(ledger(7));
  }

  @Test
  void ledger_thatWasNotWritten_isNoneForASuccessor() {
    rows.put(KEY, ledger(7));

    assertThat(new LedgerRows(store, 1).ledger(KEY)).isEmpty();
  }

  @Test
  void counts_ofAWindow_addUpWithTheStoredOnes() {
    count(rows, 1_000, 3, 1);
    rows.write(0);
    count(rows, 1_000, 2, 0);
    rows.write(0);
    LedgerRows successor = new LedgerRows(store, 1);
    successor.ledger(KEY);
    count(successor, 1_000, 1, 1);
    successor.write(0);

    assertThat(counted(1_000)).isEqualTo(new WindowCountRow(KEY, 1_000, 6, 2));
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
    LedgerRows successor = new LedgerRows(store, 1);
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
  void count_ofTheNewestWindow_isInTheLedgersRow_untilANewerOneComes() {
    count(rows, 1_000, 1, 0);
    rows.write(0);
    assertThat(windowsWithRows()).isEmpty();

    count(rows, 2_000, 1, 0);
    rows.write(0);
    assertThat(windowsWithRows()).containsExactly(1_000L);

    LedgerRows successor = new LedgerRows(store, 1);
    successor.ledger(KEY);
    count(successor, 3_000, 1, 0);
    successor.write(0);
    assertThat(windowsWithRows()).containsExactly(1_000L, 2_000L);
    assertThat(WindowCounts.of(store, KEY, 2)).containsExactly(counted(3_000), counted(2_000));
    assertThat(WindowCounts.all(store))
        .containsExactlyInAnyOrder(counted(1_000), counted(2_000), counted(3_000));
  }

  @Test
  void count_ofAWindowThatEndedTooLongAgo_isNotWritten() {
    count(rows, 1_000, 1, 0);
    rows.write(0);
    count(rows, 9_000_000_000L, 1, 0);
    rows.write(5_000_000_000L);

    assertThat(windowsWithRows()).isEmpty();
    assertThat(counted(9_000_000_000L).used()).isEqualTo(1);
  }

  @Test
  void count_ofADeletedLedger_isKept_andAddedTo() {
    count(rows, 1_000, 3, 1);
    rows.write(0);
    assertThat(rows.delete(rows.newest(KEY).orElseThrow())).isTrue();
    assertThat(counted(1_000)).isEqualTo(new WindowCountRow(KEY, 1_000, 3, 1));

    count(rows, 1_000, 1, 0);
    rows.write(0);
    assertThat(counted(1_000)).isEqualTo(new WindowCountRow(KEY, 1_000, 4, 1));
  }

  @Test
  void ledger_thatChangedInThisTransaction_isNotDeleted() {
    rows.put(KEY, ledger(7));

    assertThat(rows.delete(rows.newest(KEY).orElseThrow())).isFalse();
    rows.write(0);
    assertThat(stored(KEY)).isEqualTo(ledger(7));
  }

  /** An older enforcer kept the newest window in a row of its own, too. */
  @Test
  void count_thatAnOlderEnforcerWrote_isAddedTo() {
    rows.put(KEY, ledger(1));
    rows.write(0);
    WindowCountRow older = new WindowCountRow(KEY, 1_000, 5, 2);
    store.put(older.key(), older.value());
    LedgerRows successor = new LedgerRows(store, 1);
    successor.ledger(KEY);
    count(successor, 1_000, 1, 0);
    successor.write(0);

    assertThat(counted(1_000)).isEqualTo(new WindowCountRow(KEY, 1_000, 6, 2));
    assertThat(WindowCounts.all(store)).containsExactly(counted(1_000));
  }

  @Test
  void deletedCounts_areNoMore_whereverTheyWere() {
    count(rows, 1_000, 1, 0);
    count(rows, 2_000, 1, 0);
    rows.write(0);

    rows.deleteCounts(KEY, 1_999);
    rows.write(0);
    assertThat(WindowCounts.of(store, KEY, 9)).containsExactly(counted(2_000));

    LedgerRows successor = new LedgerRows(store, 1);
    successor.deleteCounts(KEY, 2_000);
    successor.write(0);
    assertThat(WindowCounts.of(store, KEY, 9)).isEmpty();
    assertThat(stored(KEY)).isEqualTo(ledger(1));
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
    LedgerRows few = new LedgerRows(store, Integer.MAX_VALUE);
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

  private WindowCountRow counted(long window) {
    return WindowCounts.of(store, KEY, 100).stream()
        .filter(count -> count.windowStartNanos() == window)
        .findFirst()
        .orElseThrow();
  }

  private List<Long> windowsWithRows() {
    List<Long> windows = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> rows =
        store.range(WindowCountRow.key(KEY, 0), WindowCountRow.key(KEY, Long.MAX_VALUE))) {
      rows.forEachRemaining(
          row -> windows.add(WindowCountRow.read(row.key, row.value).windowStartNanos()));
    }
    return windows;
  }

  private static KeyLedger ledger(long generation) {
    return KeyLedger.first(generation, new FixedWindow(10, 1_000_000_000L), 0, 1, 5_000);
  }

  private static QuotaKey key(String user) {
    return QuotaKey.of(new RuleId("d", "r"), List.of(user));
  }
}
