package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.NamedShare;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where permits that renew with time are booked. */
class RenewalAccountTest {
  private static final long SECOND = TestLedger.SECOND;
  private static final long START = TestLedger.START;

  /** Half of the window that begins at {@link #START}: of the one before, half counts. */
  private static final long NOW = START + SECOND / 2;

  private static final long BEFORE = START - 1;
  private static final Limit SLIDING = new SlidingWindow(1_000, SECOND);

  private static Account account(Limit limit, StateClock clock) {
    return Account.of(limit, limit.initial(START), clock, NOW);
  }

  private final Account account = account(SLIDING, StateClock.ENFORCER);

  private long used() {
    return SLIDING.used(account.state(), NOW);
  }

  private static LedgerCell lease(long id, long until) {
    return LedgerCell.granted(id, 0, 10, until)
        .withUsage(CellUsage.of(id, 0).withGranted(10).withTaken(4));
  }

  private static LedgerCell share(Limit limit, long permits) {
    return LedgerCell.share(7, offered(limit, LedgerShare.NONE, 7, permits).named(7), NOW);
  }

  private static LedgerShare offered(Limit limit, LedgerShare known, long number, long permits) {
    long burst = limit.capacity() * permits / limit.permits();
    return known.withOffer(number, new ShareSize(permits, 1_000 * burst), 0, 0);
  }

  private static NewUse use(long permits) {
    return new NewUse(permits, 0, 0, ClockBound.NONE);
  }

  private static Holder holding(LedgerCell... cells) {
    return Holder.first(HolderId.of("a"), 1, 1, START).withCells(List.of(cells));
  }

  @Test
  void leaseThatEnded_leavesItsRestSpentThen_once() {
    Holder holder = holding(lease(1, BEFORE), lease(2, NOW));
    Holder ended = account.withoutEndedLeases(holder);

    assertThat(ended.cells().get(0).writtenOff()).isEqualTo(6);
    assertThat(ended.cells().get(1)).isEqualTo(holder.cells().get(1));
    assertThat(used()).as("half of 6").isEqualTo(3);
    assertThat(account.withoutEndedLeases(ended)).isEqualTo(ended);
    assertThat(used()).isEqualTo(3);
  }

  @Test
  void leaseThatEndsNow_isInForce() {
    Holder holder = holding(lease(1, NOW));

    assertThat(account.withoutEndedLeases(holder)).isSameAs(holder);
    assertThat(used()).isZero();
  }

  @Test
  void cellThatAnInstanceOpened_doesNotEnd_besideALeaseThatDoes() {
    LedgerCell opened = LedgerCell.reportedOnly(-1, 0, BEFORE);

    assertThat(account.withoutEndedLeases(holding(opened, lease(2, BEFORE))).cells().get(0))
        .isEqualTo(opened);
  }

  @Test
  void forgottenHolder_leavesSpentWhatItMayTake_onlyIfThatIsNotYetBooked() {
    account.spendAll(holding(lease(1, NOW), lease(2, NOW).withWrittenOff(6)));

    assertThat(used()).isEqualTo(6);
  }

  @Test
  void forgottenHolder_leavesAllOfItsShareSpent() {
    account.spendAll(holding(share(SLIDING, 300)));

    assertThat(used()).isEqualTo(300);
  }

  @Test
  void lateNews_ofAnEndedLease_isPartOfWhatWasWrittenOff() {
    LedgerCell ended = account.withoutEndedLeases(holding(lease(1, BEFORE))).cells().get(0);
    LedgerCell later = account.book(ended, use(4));
    LedgerCell over = account.book(later, use(5));

    assertThat(later.writtenOff()).isEqualTo(2);
    assertThat(over.writtenOff()).isZero();
    assertThat(used()).as("half of 6, and 3 more than were written off").isEqualTo(3 + 3);
  }

  @Test
  void endedLease_thatItsHolderCloses_freesWhatWasLeft() {
    LedgerCell ended = account.withoutEndedLeases(holding(lease(1, BEFORE))).cells().get(0);
    LedgerCell closed = account.book(ended.withUsage(ended.usage().asClosed()), use(2));

    assertThat(closed.writtenOff()).isZero();
    assertThat(used()).as("half of 2").isEqualTo(1);
  }

  @Test
  void putBack_afterTheLeaseEnded_freesWhatWasBookedBefore_notWhatWasWrittenOff() {
    LedgerCell booked = account.book(lease(1, NOW), use(4)).withWrittenOff(6);
    LedgerCell back = account.book(booked, use(-3));

    assertThat(back.writtenOff()).isEqualTo(6);
    assertThat(back.bookedThere()).isEqualTo(1);
    assertThat(used()).isEqualTo(1);
  }

  @Test
  void putBack_freesOnlyWhatIsKnownWhereItWasBooked() {
    LedgerCell booked = account.book(lease(1, NOW), use(4));

    assertThat(booked.bookedWindow()).isEqualTo(START);
    assertThat(account.book(booked, use(-3)).bookedThere()).isEqualTo(1);
    assertThat(account.book(booked, use(-9)).bookedThere()).isZero();
    assertThat(used()).isZero();
  }

  @Test
  void use_inOneWindow_addsUp_andIsReckonedAnewInTheNext() {
    LedgerCell once = account.book(lease(1, NOW), use(4));
    LedgerCell twice = account.book(once, use(5));
    Account next =
        Account.of(SLIDING, account.state(), StateClock.ENFORCER, START + SECOND + SECOND / 2);
    LedgerCell then = next.book(twice, use(2));

    assertThat(twice.bookedThere()).isEqualTo(9);
    assertThat(account.book(twice, use(0))).isSameAs(twice);
    assertThat(account.usedIn(twice, START)).isEqualTo(9);
    assertThat(then.bookedWindow()).isEqualTo(START + SECOND);
    assertThat(then.bookedThere()).isEqualTo(2);
    assertThat(next.usedIn(then, START)).isZero();
  }

  @Test
  void use_thatWasCertainlyEarlier_isBookedThen_whereBordersMatter() {
    // What left at NOW - 10 arrived at NOW: the clock is ahead by 10 at the most.
    ClockBound clocks = ClockBound.NONE.seen(NOW, NOW - 10);
    NewUse use = new NewUse(10, 4, BEFORE - 10, clocks);

    assertThat(account.book(lease(1, NOW), use).bookedThere()).isEqualTo(6);
    assertThat(used()).as("half of 4, and 6").isEqualTo(8);
    Account bucket = account(new TokenBucket(1_000, SECOND, 100), StateClock.ENFORCER);
    assertThat(bucket.book(lease(1, NOW), use).bookedThere()).isEqualTo(10);
  }

  @Test
  void share_thatIsCut_leavesBehindWhatItUsedBeyondTheRest() {
    LedgerCell before = share(SLIDING, 300);
    LedgerShare less = offered(SLIDING, before.share(), 8, 100).named(8);
    CellUsage said = before.usage().ofShare(new NamedShare(8, 250));
    account.shareChanged(before, before.withShare(less), said);

    assertThat(used()).isEqualTo(150);
  }

  @Test
  void share_thatIsCut_leavesBehindNoMoreThanItHad_allOfItWhereItsUseIsNotSaid() {
    LedgerCell before = share(SLIDING, 300);
    LedgerCell after = before.withShare(offered(SLIDING, before.share(), 8, 100).named(8));
    account.shareChanged(before, after, before.usage().ofShare(8));
    assertThat(used()).isEqualTo(200);

    account.shareChanged(before, after, before.usage().ofShare(new NamedShare(8, 900)));
    assertThat(used()).isEqualTo(400);
  }

  /** No correct instance says so: it counts as none, and takes nothing off what others used. */
  @Test
  void share_ofWhichANegativeUseIsNamed_countsAsUnused() {
    account.spend(150, NOW);
    LedgerCell before = share(SLIDING, 300);
    LedgerCell after = before.withShare(offered(SLIDING, before.share(), 8, 100).named(8));
    for (long named : new long[] {-2, -250, Long.MIN_VALUE}) {
      account.shareChanged(before, after, before.usage().ofShare(new NamedShare(8, named)));
      assertThat(used()).isEqualTo(150);
      assertThat(tokensAfterTheEnd(new NamedShare(7, named)))
          .as("no more tokens than it had")
          .isEqualTo(tokensAfterTheEnd(new NamedShare(7, 0)));
    }
  }

  @Test
  void share_thatGrows_orStays_leavesNothingBehind() {
    LedgerCell before = share(SLIDING, 300);
    LedgerCell more = before.withShare(offered(SLIDING, before.share(), 8, 400).named(8));
    CellUsage said = before.usage().ofShare(new NamedShare(8, 250));
    account.shareChanged(before, more, said);
    account.shareChanged(before, before, said);

    assertThat(used()).isZero();
  }

  /** 50 of 100 tokens are in the bucket, and those left to a share of 20 come to them. */
  @Test
  void shareOfABucket_thatEnds_bringsBackTheTokensThatItHasLeft() {
    assertThat(tokensAfterTheEnd(new NamedShare(7, 5))).isEqualTo(50 + 15);
    assertThat(tokensAfterTheEnd(new NamedShare(7, 20))).isEqualTo(50);
    assertThat(tokensAfterTheEnd(new NamedShare(7, NamedShare.NOT_SAID))).isEqualTo(50);
  }

  private static long tokensAfterTheEnd(NamedShare named) {
    Limit slow = new TokenBucket(100, 100_000 * SECOND, 100);
    Account bucket = account(slow, StateClock.ENFORCER);
    LedgerCell share = share(slow, 20);
    bucket.advance();
    bucket.spend(50, NOW);
    bucket.lend(Lent.of(List.of(holding(share)), 1));
    bucket.shareChanged(
        share, share.withUsage(share.usage().asClosed()), share.usage().ofShare(named));
    bucket.lend(Lent.NOTHING);
    return bucket.tokens();
  }

  /** A steady stream of late news takes its part of the limit: ten seconds are no lateness. */
  @Test
  void useToldOnce_isChargedWhole_ifItIsPrompt_elseAsFarAsItHasNotRenewed() {
    assertThat(chargedOnce(NOW - 10 * SECOND)).isEqualTo(90);
    assertThat(chargedOnce(NOW - 10 * SECOND - SECOND / 2)).isEqualTo(90 - 52);
  }

  private static long chargedOnce(long latest) {
    Limit limit = new TokenBucket(5, SECOND, 100);
    Account bucket = Account.of(limit, limit.initial(latest), StateClock.ENFORCER, NOW);
    CellUsage told = CellUsage.of(-1, 0).withTaken(90);
    bucket.advance();
    bucket.chargeOnce(told, START, latest, START - 1);
    return bucket.limit.used(bucket.state(), NOW);
  }

  @Test
  void useToldOnce_soLongAgoThatNobodyIsRemembered_isNotCharged() {
    CellUsage told = CellUsage.of(-1, 0).withTaken(90);
    account.chargeOnce(told, START, NOW, START);
    assertThat(used()).isZero();

    account.chargeOnce(told, START, NOW, START - 1);
    assertThat(used()).isEqualTo(90);
  }

  @Test
  void useToldOnce_whileTheClockLags_isBookedByThatClockNow() {
    CellUsage told = CellUsage.of(-1, 0).withTaken(90);
    account.chargeOnce(told, START, BEFORE, 0);
    assertThat(used()).as("half of 90").isEqualTo(45);

    Account lagging = account(SLIDING, new StateClock(SECOND / 10, Long.MIN_VALUE));
    lagging.chargeOnce(told, START, BEFORE, 0);
    assertThat(SLIDING.used(lagging.state(), lagging.stateTime(NOW))).isEqualTo(90);
  }

  @Test
  void permits_thatWillHaveRenewed_areUnusedSoon() {
    account.spend(100, BEFORE);

    assertThat(account.leftFor(lease(1, NOW))).isEqualTo(950);
    assertThat(account.unusedSoon(0, SECOND / 4)).isEqualTo(975);
    assertThat(account.isPast(lease(1, NOW))).isFalse();
    assertThat(account.countedIn(START - SECOND)).isEqualTo(START);
  }

  @Test
  void spentKey_renewsOnceAPartOfAPermitHasFaded_byTheEnforcersClock() {
    StateClock lagging = new StateClock(SECOND / 10, Long.MIN_VALUE);
    for (StateClock clock : List.of(StateClock.ENFORCER, lagging)) {
      Account spent = account(SLIDING, clock);
      spent.spend(1_000, BEFORE);
      spent.spend(500, START);

      assertThat(spent.renewsAt()).isEqualTo(NOW + 1 + clock.lagNanos());
    }
  }
}
