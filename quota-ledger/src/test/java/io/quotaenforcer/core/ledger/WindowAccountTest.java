package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where permits that belong to windows are booked, and those of shares beside them. */
class WindowAccountTest {
  private static final long SECOND = TestLedger.SECOND;
  private static final long START = TestLedger.START;
  private static final long NEXT = START + SECOND;
  private static final long NOW = START + SECOND / 2;
  private static final FixedWindow LIMIT = new FixedWindow(100, SECOND);

  private final WindowAccount account =
      new WindowAccount(LIMIT, LIMIT.initial(START), StateClock.ENFORCER, NOW);

  private long used(long window) {
    return 100 - LIMIT.available(account.state(), window);
  }

  private static LedgerCell lease(long window) {
    return LedgerCell.granted(1, window, 10, NOW)
        .withUsage(CellUsage.of(1, window).withGranted(10).withTaken(4));
  }

  private static LedgerCell share(long id, long permits, long until) {
    LedgerShare terms = LedgerShare.NONE.withOffer(id, ShareSize.of(permits), 0, 0).named(id);
    return LedgerCell.share(id, terms, until);
  }

  private static LedgerCell usedOfShare(long id, long window, long used, long number) {
    return LedgerCell.reportedOnly(-id, window, NOW)
        .withUsage(CellUsage.of(-id, window).withTaken(used).ofShare(number));
  }

  private static Holder holding(LedgerCell... cells) {
    return Holder.first(HolderId.of("a"), 1, 1, START).withCells(List.of(cells));
  }

  private Holder charged(LedgerCell... cells) {
    return account.chargeShares(holding(cells));
  }

  private static LedgerCell with(Holder holder, int index, CellUsage usage) {
    return new ArrayList<>(holder.cells()).get(index).withUsage(usage);
  }

  @Test
  void forgottenHolder_leavesSpentWhatItMayTake_inTheWindowOfItsCell() {
    account.spendAll(holding(lease(NEXT)));

    assertThat(used(NEXT)).isEqualTo(6);
    assertThat(used(START)).isZero();
  }

  @Test
  void forgottenHolder_leavesItsShareSpent_inTheWindowInWhichItEnds() {
    account.spendAll(holding(share(7, 30, NEXT + 1)));

    assertThat(used(NEXT)).isEqualTo(30);
    assertThat(used(START)).isZero();
  }

  @Test
  void useToldOnce_isChargedToItsWindow_andWhatWasPutBackIsFreed() {
    CellUsage told = CellUsage.of(-1, NEXT).withTaken(9);
    account.chargeOnce(told, NEXT, NOW, 0);
    assertThat(used(NEXT)).isEqualTo(9);

    account.chargeOnce(CellUsage.of(-2, NEXT).withPutBack(4), NEXT, NOW, 0);
    assertThat(used(NEXT)).isEqualTo(5);
    assertThat(used(START)).isZero();
  }

  @Test
  void use_andWhatIsPutBack_isBookedInTheWindowOfItsCell() {
    NewUse use = new NewUse(9, 0, 0, ClockBound.NONE);
    assertThat(account.book(lease(NEXT), use)).isEqualTo(lease(NEXT));
    assertThat(used(NEXT)).isEqualTo(9);

    assertThat(account.book(lease(NEXT), use.first(-4))).isEqualTo(lease(NEXT));
    assertThat(used(NEXT)).isEqualTo(5);
    assertThat(account.leftFor(lease(NEXT))).isEqualTo(95);
    assertThat(account.leftFor(lease(START))).isEqualTo(100);
  }

  @Test
  void cell_isPast_onceItsWindowIsOver() {
    assertThat(account.isPast(lease(START - SECOND))).isTrue();
    assertThat(account.isPast(lease(START))).isFalse();
    assertThat(account.isPast(lease(NEXT))).isFalse();
  }

  @Test
  void useToldOnce_isChargedToItsWindow_lessThanNothingIsFreed() {
    account.chargeOnce(CellUsage.of(-1, START).withTaken(9), START, NOW, 0);
    assertThat(used(START)).isEqualTo(9);

    account.chargeOnce(CellUsage.of(-1, START).withPutBack(4), START, NOW, 0);
    assertThat(used(START)).isEqualTo(5);
  }

  @Test
  void useThatNamesNoWindow_isCountedInTheCurrentOne() {
    assertThat(account.countedIn(0)).isEqualTo(START);
    assertThat(account.countedIn(NEXT)).isEqualTo(NEXT);
  }

  @Test
  void permits_ofTheWindowAskedAbout_areUnusedSoon_noneRenewBefore() {
    account.spend(20, START);
    account.spend(30, NEXT);

    assertThat(account.unusedSoon(START, SECOND)).isEqualTo(80);
    assertThat(account.unusedSoon(NEXT, 0)).isEqualTo(70);
    assertThat(account.renewsAt()).isEqualTo(NEXT);
    assertThat(account.usedIn(lease(START), START)).isEqualTo(4);
    assertThat(account.usedIn(lease(START), NEXT)).isZero();
  }

  @Test
  void shareThatEnded_countsAsUsedInTheWindowOfItsEnd_leasesDoNot() {
    LedgerCell lease = lease(START).withValidUntil(START);
    Holder ended = account.withoutEndedLeases(holding(lease, share(7, 30, NOW - 1)));

    assertThat(used(START)).isEqualTo(30);
    assertThat(ended.cells().get(0)).isEqualTo(lease);
    assertThat(ended.cells().get(1).writtenOff()).isEqualTo(30);
    assertThat(ended.cells().get(1).bookedWindow()).isEqualTo(START);
    assertThat(ended.cells().get(1).bookedThere()).isEqualTo(30);
    assertThat(account.withoutEndedLeases(ended)).isSameAs(ended);
  }

  @Test
  void shareThatEndsNow_isInForce_besideALeaseThatEnded() {
    Holder holder = holding(lease(START).withValidUntil(START), share(7, 30, NOW));

    assertThat(account.withoutEndedLeases(holder)).isEqualTo(holder);
    assertThat(used(START)).isZero();
  }

  @Test
  void useOfAShare_withinWhatIsReserved_isNotCharged_whatIsMore_isChargedOnce() {
    LedgerCell share = share(7, 30, NEXT);
    charged(share, usedOfShare(1, START, 30, 7));
    assertThat(used(START)).isZero();

    Holder more = charged(share, usedOfShare(1, START, 35, 7));
    assertThat(used(START)).isEqualTo(5);
    assertThat(more.cells().get(1).bookedThere()).isEqualTo(5);
    assertThat(more.cells().get(1).bookedWindow()).isEqualTo(START);

    account.chargeShares(more);
    assertThat(used(START)).isEqualTo(5);
    assertThat(WindowShares.usedIn(more, START)).isEqualTo(30);
    assertThat(WindowShares.usedIn(more, NEXT)).isZero();
  }

  @Test
  void useOfAShare_thatIsPutBack_isNoLongerCharged() {
    Holder more = charged(share(7, 30, NEXT), usedOfShare(1, START, 35, 7));
    LedgerCell back = with(more, 1, more.cells().get(1).usage().withPutBack(3));
    Holder less = charged(more.cells().get(0), back);

    assertThat(used(START)).isEqualTo(2);
    assertThat(less.cells().get(1).bookedThere()).isEqualTo(2);
  }

  @Test
  void useByTwoCellsOfAWindow_isReckonedTogether_thatOfOtherWindowsApart() {
    LedgerCell share = share(7, 30, NEXT);
    charged(
        share,
        usedOfShare(3, NEXT, 20, 7),
        usedOfShare(2, START, 20, 8),
        usedOfShare(1, START, 15, 7));

    assertThat(used(START)).isEqualTo(5);
    assertThat(used(NEXT)).isZero();
  }

  @Test
  void useInWindowsThatAreOver_isNotCharged() {
    LedgerCell past = usedOfShare(1, START - SECOND, 90, 7);
    Holder holder = holding(share(7, 30, NEXT), past);

    assertThat(account.chargeShares(holder)).isSameAs(holder);
  }

  /** Terms are numbered from the id of the share's cell on, until a newer share has another. */
  @Test
  void useOfAnEarlierShare_isNotSetAgainstANewerOne() {
    LedgerCell ended = share(7, 30, NOW).withWrittenOff(0);
    charged(ended, share(20, 40, NEXT), usedOfShare(1, START, 25, 19));
    assertThat(used(START)).as("nothing is reserved for the one that ended").isEqualTo(25);

    charged(ended, share(20, 40, NEXT), usedOfShare(2, NEXT, 25, 20));
    assertThat(used(NEXT)).isZero();
  }

  @Test
  void useOfAShareThatIsNotKnown_isChargedWhole() {
    charged(share(7, 30, NEXT), usedOfShare(1, START, 25, 6));

    assertThat(used(START)).isEqualTo(25);
  }

  @Test
  void shareThatEnded_hasReservedItsPermits_inTheWindowOfItsEndOnly() {
    LedgerCell ended = account.withoutEndedLeases(holding(share(7, 30, NOW - 1))).cells().get(0);
    charged(ended, usedOfShare(2, NEXT, 10, 7), usedOfShare(1, START, 33, 7));

    assertThat(used(START)).isEqualTo(33);
    assertThat(used(NEXT)).isEqualTo(10);
  }
}
