package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.HolderId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which holders are folded, and from what size of a ledger on. */
class HolderFoldingTest {
  private static final FixedWindow LIMIT = new FixedWindow(1_000_000, 1_000 * TestLedger.SECOND);
  private static final long NOW = TestLedger.START + 900 * TestLedger.SECOND;

  /** Ten leases ago. */
  private static final long SILENT = NOW - 10 * TestLedger.TTL;

  /** A holder without cells takes 144 bytes, and as many for its id as that may take. */
  private static final int CHARS_OF_600_BYTES = (600 - 144) / 3;

  private static final int FULL = 450_000 / 600;

  private static Holder silent(HolderId id, long lastReport) {
    return Holder.first(id, 1, 1, lastReport);
  }

  private static HolderId id(int number, int chars) {
    String digits = Integer.toString(number);
    return HolderId.of("x".repeat(chars - digits.length()) + digits);
  }

  private static List<Holder> silent(int count) {
    List<Holder> holders = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // The later ones in the list were silent for longer.
      holders.add(silent(id(i, CHARS_OF_600_BYTES), SILENT - 1 - i));
    }
    return holders;
  }

  private static WorkingLedger ledger(List<Holder> holders) {
    Counting counting = new Counting(1, LIMIT, LIMIT.initial(NOW), StateClock.ENFORCER);
    KeyTimes times = new KeyTimes(NOW, 0, 0, 0);
    KeyLedger ledger = new KeyLedger(counting, times, Trust.WHOLE, List.of(), holders);
    return new WorkingLedger(ledger, LIMIT, false, Tenure.first(0), NOW);
  }

  private static List<Holder> kept(List<Holder> holders) {
    WorkingLedger ledger = ledger(holders);
    HolderBound.keep(ledger, TestLedger.SETTINGS);
    return ledger.holders();
  }

  @Test
  void holders_thatTakeHalfOfARow_areKept() {
    List<Holder> full = silent(FULL);

    assertThat(kept(full)).isEqualTo(full);
  }

  /** Down to three eighths, so that the next one that comes finds room. */
  @Test
  void holders_thatTakeMore_areFolded_thoseSilentForLongestFirst() {
    List<Holder> more = silent(FULL + 1);
    List<Holder> kept = kept(more);
    int left = 337_500 / 600;

    assertThat(kept).hasSize(left + 1);
    assertThat(kept.subList(0, left)).isEqualTo(more.subList(0, left));
    assertThat(kept.get(left).isFolded()).isTrue();
  }

  @Test
  void holders_thatReportedWithinTenLeases_areNotFolded() {
    List<Holder> alive = new ArrayList<>();
    for (int i = 0; i <= FULL; i++) {
      alive.add(silent(id(i, CHARS_OF_600_BYTES), SILENT));
    }

    assertThat(kept(alive)).isEqualTo(alive);
  }

  @Test
  void queues_andHoldersOfShares_areNotFolded_howeverSilent() {
    LedgerShare terms = LedgerShare.NONE.withOffer(7, ShareSize.of(10), 0, 0).named(7);
    Holder sharer = silent(id(1, 20), 0).withCells(List.of(LedgerCell.share(7, terms, NOW)));
    Holder queue = silent(HolderId.Replays.of(3), 0);
    List<Holder> holders = silent(FULL);
    holders.add(0, sharer);
    holders.add(1, queue);

    assertThat(kept(holders)).startsWith(sharer, queue).hasSizeLessThan(FULL);
  }

  @Test
  void foldedOnes_areFoldedTogether_underTheNewestOfTheirCells() {
    List<Holder> holders = silent(FULL + 1);
    long before = 5;
    Holder known =
        silent(HolderId.Reserved.FOLDED, 0).withSettled(new Settled(before, 0), List.of());
    holders.add(known);
    LedgerCell cell = LedgerCell.granted(9, TestLedger.START, 10, 0);
    holders.add(silent(id(1, 20), 0).withCells(List.of(cell)));
    WorkingLedger ledger = ledger(holders);
    HolderBound.keep(ledger, TestLedger.SETTINGS);

    assertThat(ledger.foldedUntil()).isEqualTo(9);
    assertThat(ledger.holders()).filteredOn(Holder::isFolded).hasSize(1);
    assertThat(ledger.unused(NOW)).as("10 that one held are spent").isEqualTo(1_000_000 - 10);
  }

  /** An id is reckoned at three bytes a character until that matters. */
  @Test
  void report_isRefused_onceTheHoldersTakeMoreThanARow_eachCharacterAsLongAsItIs() {
    List<Holder> holders = new ArrayList<>();
    for (int i = 0; i < 900_000 / 300; i++) {
      holders.add(silent(id(i, 300 - 144), NOW));
    }
    WorkingLedger ledger = ledger(holders);
    Holder reporting = holders.get(0);
    assertThatCode(() -> HolderBound.check(ledger, reporting)).doesNotThrowAnyException();

    ledger.indexOf(HolderId.of("y"), 1, 1);
    assertThatThrownBy(() -> HolderBound.check(ledger, reporting))
        .isInstanceOf(InvalidReportException.class)
        .hasMessageContaining("3001 do, which takes 900145 bytes of 900000");
  }

  @Test
  void cells_countWithTheNumbersThatAreKeptOfThem() {
    List<Holder> full = silent(FULL - 1);
    // 600 bytes with a cell of an id, a window, a grant and its end, and whether it is closed.
    LedgerCell cell = LedgerCell.granted(9, TestLedger.START, 10, 1);
    int chars = (600 - 144 - 9 * cell.numbers()) / 3;
    Holder holder = silent(id(1, chars), SILENT - 1).withCells(List.of(cell));
    full.add(holder);
    assertThat(kept(full)).isEqualTo(full);

    full.set(FULL - 1, holder.withCells(List.of(cell.withOver(1))));
    assertThat(kept(full)).isNotEqualTo(full);
  }
}
