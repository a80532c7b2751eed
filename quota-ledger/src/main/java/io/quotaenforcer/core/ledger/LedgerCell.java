package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellCounts;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.EarlierUse;
import io.quotaenforcer.core.message.NamedShare;
import io.quotaenforcer.core.message.RateShare;

/**
 * One cell as the ledger knows it: what was granted, what the newest report said of it, and where
 * that was booked.
 *
 * @param usage the newest report of the cell, merged count by count
 * @param writtenOff unspent permits that were booked as spent when the lease ended; -1 while it has
 *     not
 * @param over used permits that were not charged to the limit, as nothing was left of it
 * @param share what the cell is a share of; its use is counted, but not charged
 */
public record LedgerCell(
    CellUsage usage, Grant grant, Booking booking, long writtenOff, long over, LedgerShare share) {
  private static final int NUMBERS_OF_A_SHARE = 13;

  static LedgerCell granted(long id, long windowStart, long permits, long validUntil) {
    return first(CellUsage.of(id, windowStart), new Grant(permits, validUntil), LedgerShare.NONE);
  }

  static LedgerCell share(long id, LedgerShare share, long validUntil) {
    return first(CellUsage.of(id, 0), new Grant(0, validUntil), share);
  }

  private static LedgerCell first(CellUsage usage, Grant grant, LedgerShare share) {
    return new LedgerCell(usage, grant, Booking.NONE, -1, 0, share);
  }

  /**
   * A cell that only reports use: nothing was granted and nothing is outstanding. A granted cell
   * that the ledger does not know (any more) counts as ended, so that its lease is never renewed.
   */
  static LedgerCell reportedOnly(long id, long windowStart, long now) {
    LedgerCell open = first(CellUsage.of(id, windowStart), new Grant(0, now), LedgerShare.NONE);
    return id > 0 ? open.withWrittenOff(0) : open;
  }

  /**
   * End of a lease of permits of a window.
   *
   * @param until its end where permits are never void
   * @param borderNanos how long after the end of its window it may last
   */
  static long leaseEnd(Limit limit, long window, long until, long borderNanos) {
    long end = limit.voidAt(window);
    return end >= until ? until : Math.min(until, end + borderNanos);
  }

  public long id() {
    return usage.id();
  }

  public long granted() {
    return grant.permits();
  }

  public long validUntilNanos() {
    return grant.validUntilNanos();
  }

  /** Window in which its use was booked last, or time of a steady bucket since which it was. */
  public long bookedWindow() {
    return booking.sinceNanos();
  }

  /** Permits booked in that window, or since then. */
  public long bookedThere() {
    return booking.permits();
  }

  public boolean isGranted() {
    return id() > 0;
  }

  /** Whether it has the permits of one window that its holder took by a share. */
  boolean isOfShare() {
    return id() < 0 && usage.shareNumber() > 0;
  }

  /** Numbers that are to be kept of it, its id among them. */
  int numbers() {
    int numbers = share.isShare() ? 2 + NUMBERS_OF_A_SHARE : 2;
    numbers += isOfShare() ? 1 : 0;
    numbers += usage.share().used() == NamedShare.NOT_SAID ? 0 : 1;
    numbers += usage.windowStartNanos() == 0 ? 0 : 1;
    numbers += usage.granted() == 0 ? 0 : 1;
    numbers += usage.taken() == 0 ? 0 : 1;
    numbers += usage.putBack() == 0 ? 0 : 1;
    numbers += usage.givenBack() == 0 ? 0 : 1;
    numbers += usage.throttled() == 0 ? 0 : 1;
    numbers += granted() == 0 ? 0 : 1;
    numbers += validUntilNanos() == 0 ? 0 : 1;
    numbers += bookedWindow() == 0 ? 0 : 1;
    numbers += bookedThere() == 0 ? 0 : 1;
    numbers += isWrittenOff() ? 1 : 0;
    return numbers + (over == 0 ? 0 : 1);
  }

  public boolean isWrittenOff() {
    return writtenOff >= 0;
  }

  /** Permits that the instance may still take, as far as it has reported. */
  public long outstanding() {
    return usage.closed() ? 0 : Math.max(0, granted() - (usage.taken() - usage.putBack()));
  }

  LedgerCell withUsage(CellUsage newer) {
    LedgerShare named = share.named(newer.shareNumber());
    return new LedgerCell(newer, grant, booking, writtenOff, over, named);
  }

  /** Whether the holder knows of permits that this ledger never granted it. */
  boolean isShortOf(CellUsage reported) {
    return reported.granted() > granted();
  }

  LedgerCell withGranted(long more) {
    return withGrant(new Grant(granted() + more, validUntilNanos()));
  }

  /** With the first permits that it was granted, as far as this ledger knows. */
  LedgerCell withLease(long permits, long until) {
    return withGrant(new Grant(permits, until)).withWrittenOff(-1);
  }

  LedgerCell withValidUntil(long until) {
    return withGrant(new Grant(granted(), until));
  }

  private LedgerCell withGrant(Grant newer) {
    return new LedgerCell(usage, newer, booking, writtenOff, over, share);
  }

  LedgerCell withBooked(long window, long permitsThere) {
    Booking newer = new Booking(window, permitsThere);
    return new LedgerCell(usage, grant, newer, writtenOff, over, share);
  }

  LedgerCell withWrittenOffLess(long permits) {
    return isWrittenOff() ? withWrittenOff(writtenOff - permits) : this;
  }

  LedgerCell withWrittenOff(long permits) {
    return new LedgerCell(usage, grant, booking, permits, over, share);
  }

  LedgerCell withOver(long permits) {
    return new LedgerCell(usage, grant, booking, writtenOff, permits, share);
  }

  /** The share for longer, once the transaction is committed. */
  LedgerCell withShareUntil(long until, long commit) {
    LedgerShare renewed = share.withTerm(share.term().renewed(until, commit));
    return withShare(renewed).withValidUntil(Math.max(validUntilNanos(), until));
  }

  LedgerCell withShare(LedgerShare newer) {
    return new LedgerCell(usage, grant, booking, writtenOff, over, newer);
  }

  /** Whether the holder may still take permits by its share. */
  boolean isShareInUse() {
    boolean ended = usage.closed() || usage.shareNumber() == RateShare.ENDED;
    return share.isShare() && !ended && !isWrittenOff();
  }

  /**
   * The counts of two reports of one cell: as each count only grows, the greater is the newer. Of
   * one holder the newest report has them all; of two that pose as one, no more comes back than was
   * taken.
   */
  static CellUsage merge(CellUsage known, CellUsage reported) {
    long taken = Math.max(known.taken(), reported.taken());
    long putBack = Math.max(known.putBack(), reported.putBack());
    putBack = Math.min(putBack, taken - known.givenBack());
    long givenBack = Math.max(known.givenBack(), reported.givenBack());
    return new CellUsage(
        known.id(),
        known.windowStartNanos(),
        new CellCounts(
            Math.max(known.granted(), reported.granted()),
            taken,
            putBack,
            Math.min(givenBack, taken - putBack),
            Math.max(known.throttled(), reported.throttled())),
        known.closed() || reported.closed(),
        EarlierUse.NONE,
        new NamedShare(
            Math.max(known.shareNumber(), reported.shareNumber()), reported.share().used()));
  }
}
