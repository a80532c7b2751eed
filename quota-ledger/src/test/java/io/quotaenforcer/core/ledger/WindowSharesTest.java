package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Permits of a window that holders of shares used or gave back. */
class WindowSharesTest {
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);
  private static final long NEXT = NOW + 10 * SECOND;

  private final WindowAccount account =
      new WindowAccount(LIMIT, LIMIT.initial(NOW), StateClock.ENFORCER, NOW);

  private static LedgerCell share(long id, long permits) {
    LedgerShare terms = LedgerShare.NONE.withOffer(id, ShareSize.of(permits), 0, 0).named(id);
    return LedgerCell.share(id, terms, NEXT);
  }

  private static LedgerCell ended(LedgerCell share) {
    return share.withUsage(share.usage().asClosed());
  }

  private static LedgerCell ofShare(long id, long window, long used, long givenBack, long number) {
    CellUsage usage =
        CellUsage.of(-id, window).withTaken(used + givenBack).withGivenBack(givenBack);
    return LedgerCell.reportedOnly(-id, window, NOW).withUsage(usage.ofShare(number));
  }

  private static Holder holding(LedgerCell... cells) {
    return Holder.first(HolderId.of("a"), 1, 1, NOW).withCells(List.of(cells));
  }

  /** Thirty are reserved for it, but for those that it will not take. */
  @ParameterizedTest
  @CsvSource({"20, 0, 0", "20, 10, 0", "20, 15, 5", "20, 40, 20", "35, 0, 5"})
  void use_isCharged_asFarAsItIsMoreThanWhatIsReserved(long used, long givenBack, long charged) {
    Holder holder = holding(ofShare(1, NOW, used, givenBack, 7), share(7, 30));
    Holder booked = account.chargeShares(holder);

    assertThat(100 - LIMIT.available(account.state(), NOW)).isEqualTo(charged);
    assertThat(booked.cells().get(0).bookedThere()).isEqualTo(charged);
    assertThat(account.chargeShares(booked)).as("once").isEqualTo(booked);
  }

  @Test
  void use_ofTwoCellsOfAShare_addsUp() {
    LedgerCell one = ofShare(2, NOW, 12, 4, 7);
    LedgerCell other = ofShare(1, NOW, 13, 6, 7);
    account.chargeShares(holding(one, other, share(7, 30)));

    assertThat(100 - LIMIT.available(account.state(), NOW)).as("25 of 20").isEqualTo(5);
  }

  @Test
  void givenBack_isOfAShareInUse_andNoMoreThanThat() {
    LedgerCell cell = ofShare(1, NOW, 0, 5, 7);

    assertThat(WindowShares.givenBack(List.of(cell, share(7, 30)), cell)).isEqualTo(5);
    assertThat(WindowShares.givenBack(List.of(cell, share(7, 3)), cell)).isEqualTo(3);
    assertThat(WindowShares.givenBack(List.of(cell, ended(share(7, 30))), cell)).isZero();
    assertThat(WindowShares.givenBack(List.of(cell), cell)).isZero();
  }

  /** Its terms were numbered from its id; the next share's are higher. */
  @Test
  void givenBack_isOfTheShareThatTheCellNamed() {
    LedgerCell cell = ofShare(1, NOW, 0, 5, 8);
    List<LedgerCell> cells = List.of(cell, ended(share(7, 30)), share(9, 30));
    assertThat(WindowShares.givenBack(cells, cell)).isZero();

    LedgerCell newer = ofShare(1, NOW, 0, 5, 9);
    assertThat(WindowShares.givenBack(List.of(newer, ended(share(7, 30)), share(9, 30)), newer))
        .isEqualTo(5);
  }

  @Test
  void done_isWhatWasUsedOrGivenBackOfAWindow() {
    Holder holder = holding(ofShare(2, NEXT, 3, 1, 7), ofShare(1, NOW, 12, 4, 7), share(7, 30));

    assertThat(WindowShares.usedIn(holder, NOW)).isEqualTo(12);
    assertThat(WindowShares.doneWith(holder, NOW)).isEqualTo(16);
    assertThat(WindowShares.doneWith(holder, NEXT)).isEqualTo(4);
  }

  @Test
  void otherTerms_areOnTheirWay_untilTheyAreCommittedOrNamed() {
    LedgerShare settled = LedgerShare.NONE.withOffer(7, ShareSize.of(30), 1, 0).named(7);
    LedgerShare offered = settled.withOffer(8, ShareSize.of(20), 3, 0);

    assertThat(settled.isOnItsWay(1)).isFalse();
    assertThat(offered.isOnItsWay(3)).isTrue();
    assertThat(offered.isOnItsWay(4)).isFalse();
    assertThat(offered.named(8).isOnItsWay(3)).isFalse();
  }
}
