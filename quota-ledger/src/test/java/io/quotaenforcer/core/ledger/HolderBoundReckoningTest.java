package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.HolderId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The bound on holders by the numbers: one with an id of 200 characters and without cells takes 744
 * bytes at the most, and 344 if these are of one byte each. Of 900,000, folding begins at a half
 * and ends at three eighths.
 */
class HolderBoundReckoningTest {
  private static final LedgerSettings SETTINGS = LedgerSettings.defaults(10);
  private static final long LONG_AGO = 20 * SECOND + 1;
  private static final int NOT_FOLDED_YET = 604;
  private static final int FOLDED = 605;
  private static final int LEFT = 453;
  private static final int FIT = 2_616;
  private static final Limit LIMIT = new FixedWindow(100, SECOND);

  private final List<Holder> holders = new ArrayList<>();

  private static String id(int number) {
    return "x".repeat(HolderId.Instance.MAX_CHARS - 4) + (1_000 + number);
  }

  private void add(int count, long reportedAgo) {
    for (int i = 0; i < count; i++) {
      holders.add(new HolderBuilder(id(holders.size()), 0).reportedAgo(reportedAgo - i).get());
    }
  }

  private List<Holder> kept() {
    WorkingLedger ledger = HolderBuilder.ledger(LIMIT, NOW, holders);
    HolderBound.keep(ledger, SETTINGS);
    return ledger.holders();
  }

  @Test
  void holders_thatTakeLessThanHalf_areKept() {
    add(NOT_FOLDED_YET, 2 * LONG_AGO);

    assertThat(kept()).isEqualTo(holders);
  }

  @Test
  void holders_thatWereSilentForLongest_areFoldedToThreeEighths() {
    add(FOLDED, 2 * LONG_AGO);
    List<Holder> kept = kept();

    assertThat(kept).hasSize(LEFT + 1);
    assertThat(kept.subList(0, LEFT)).isEqualTo(holders.subList(FOLDED - LEFT, FOLDED));
    assertThat(kept.get(LEFT).isFolded()).isTrue();
  }

  @Test
  void holders_thatWereHeardOfWithinTenLeases_areKept() {
    add(FOLDED - 2, 0);
    holders.add(new HolderBuilder(id(8_000), 0).reportedAgo(LONG_AGO - 1).get());
    holders.add(new HolderBuilder(id(8_001), 0).reportedAgo(LONG_AGO).get());

    assertThat(kept()).hasSize(FOLDED).containsAll(holders.subList(0, FOLDED - 1));
  }

  @Test
  void queues_andHoldersOfShares_areKept() {
    holders.add(new HolderBuilder(HolderId.Replays.of(0).text(), 0).reportedAgo(NOW).get());
    holders.add(new HolderBuilder("shares", 0).reportedAgo(NOW).shareOf(3).get());
    add(FOLDED, 2 * LONG_AGO);

    assertThat(kept()).contains(holders.get(0), holders.get(1)).doesNotContain(holders.get(2));
  }

  @Test
  void room_forHoldersThatCannotBeFolded_isThreeEighths() {
    add(LEFT, 0);
    assertThat(HolderBound.hasRoom(HolderBuilder.ledger(LIMIT, NOW, holders))).isTrue();

    add(1, 0);
    assertThat(HolderBound.hasRoom(HolderBuilder.ledger(LIMIT, NOW, holders))).isFalse();
  }

  private void check() {
    HolderBound.check(HolderBuilder.ledger(LIMIT, NOW, holders), holders.get(0));
  }

  @Test
  void holders_areRefused_onceTheyDoNotFit() {
    add(FIT, 0);
    assertThatCode(this::check).doesNotThrowAnyException();

    add(1, 0);
    assertThatThrownBy(this::check)
        .isInstanceOf(InvalidReportException.class)
        .hasMessageContaining("2617 do, which takes 900248 bytes of 900000");
  }

  /** Three cells of four numbers each: 108 bytes, where 96 are left. */
  @Test
  void cells_areRefused_onceTheyDoNotFit() {
    add(FIT, 0);
    Holder last = holders.get(FIT - 1);
    LedgerCell cell = LedgerCell.granted(2, 0, 5, NOW);
    assertThat(cell.numbers()).isEqualTo(4);

    holders.set(FIT - 1, last.withCells(List.of(cell, cell)));
    assertThatCode(this::check).doesNotThrowAnyException();
    holders.set(FIT - 1, last.withCells(List.of(cell, cell, cell)));
    assertThatThrownBy(this::check).hasMessageContaining("900012 bytes");
  }

  /** 144 bytes, and 3 for each of 196 characters, and 4: 736. */
  @Test
  void idsOfCharactersOfThreeBytes_takeAsMany() {
    for (int i = 0; i < 1_223; i++) {
      String id = "\u20ac".repeat(HolderId.Instance.MAX_CHARS - 4) + (1_000 + i);
      holders.add(new HolderBuilder(id, 0).get());
    }
    assertThatThrownBy(this::check).hasMessageContaining("takes 900128 bytes");

    holders.remove(0);
    assertThatCode(this::check).doesNotThrowAnyException();
  }
}
