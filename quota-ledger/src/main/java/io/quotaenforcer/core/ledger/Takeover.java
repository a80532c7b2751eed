package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.RenewingLimit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.HolderId;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes over a ledger that a predecessor kept. If that one crashed, it may have granted its whole
 * headroom, and renewed every lease, and neither left a trace in what was committed: so the
 * headroom counts as held by a holder of its own, {@link HolderId.Unrecorded}, and leases as
 * renewed to the last moment. Terms of shares that were committed may have been sent, and only
 * those. What instances then report of cells that the ledger never saw is taken from there. A
 * ledger that was handed over holds all that was granted, and its headroom is still there.
 *
 * <p>The successor's clock may be ahead of the predecessor's. Where permits renew with time they
 * are counted by a clock that lags so far behind that it cannot have jumped. How that relates to
 * the clocks of instances is not known at first.
 *
 * <p>What a sliding window allows depends on the window in which use is booked. The clock of its
 * successor therefore goes on from the latest time by which the predecessor can have granted, and
 * nothing is granted before that time has certainly passed: else use that the predecessor had in a
 * next window would be booked in the one before, and fade a window too early.
 */
final class Takeover {
  /** How far a successor's time is ahead of the latest while it stands still. */
  private static final long STANDS_STILL_NANOS = 1;

  private final long usualAheadNanos;
  private final long maxClockSkewNanos;
  private final long borderNanos;

  /**
   * @param aheadNanos how far enforcer time may be ahead of the clock of one that crashed, unless
   *     its commits took long
   * @param maxClockSkewNanos most by which the successor's clock may be ahead of it, or behind
   * @param borderNanos how long after the end of its window a lease may last
   */
  Takeover(long aheadNanos, long maxClockSkewNanos, long borderNanos) {
    this.usualAheadNanos = aheadNanos;
    this.maxClockSkewNanos = maxClockSkewNanos;
    this.borderNanos = borderNanos;
  }

  KeyLedger of(KeyLedger before, Tenure tenure, long now) {
    if (before.tenure() == tenure.number()) {
      return before;
    }
    return before.tenure() >= tenure.recordedSince()
        ? ofHandedOver(before, tenure, now)
        : ofCrashed(before, tenure, now);
  }

  private KeyLedger ofHandedOver(KeyLedger before, Tenure tenure, long now) {
    Limit limit = before.limit();
    List<Holder> holders = new ArrayList<>(before.holders().size());
    for (Holder holder : before.holders()) {
      List<LedgerCell> cells = new ArrayList<>(holder.cells());
      // By a clock that is ahead the lease must not end before it does.
      cells.replaceAll(
          cell ->
              cell.share().isShare()
                  ? shareTakenOver(limit, holder, cell, tenure)
                  : limit instanceof ConcurrencyLimit
                      ? slotsTakenOver(holder, cell, 0, maxClockSkewNanos)
                      : renewed(
                          limit,
                          holder,
                          cell,
                          lastLease(
                              limit,
                              cell.usage().windowStartNanos(),
                              cell.validUntilNanos() + maxClockSkewNanos)));
      holders.add(holder.withCells(cells).withClockBound(ClockBound.NONE));
    }
    List<Headroom> headrooms = before.headrooms().stream().map(Headroom::committed).toList();
    return onClockOf(tenure, before, now, maxClockSkewNanos, headrooms, holders);
  }

  private KeyLedger ofCrashed(KeyLedger before, Tenure tenure, long now) {
    Limit limit = before.limit();
    long unrecordedUntil = tenure.predecessorsUntilNanos();
    long ahead = Math.max(usualAheadNanos, tenure.predecessorsLeadNanos()) + maxClockSkewNanos;
    List<Holder> holders = new ArrayList<>(before.holders().size() + 1);
    for (Holder holder : before.holders()) {
      List<LedgerCell> cells = new ArrayList<>(holder.cells());
      cells.replaceAll(
          cell ->
              cell.share().isShare()
                  ? shareTakenOver(limit, holder, cell, tenure)
                  : limit instanceof ConcurrencyLimit
                      ? slotsTakenOver(holder, cell, unrecordedUntil, ahead)
                      : renewed(
                          limit,
                          holder,
                          cell,
                          lastLease(limit, cell.usage().windowStartNanos(), unrecordedUntil)));
      holders.add(holder.withCells(cells).withClockBound(ClockBound.NONE));
    }
    List<LedgerCell> unrecorded = new ArrayList<>(2);
    for (Headroom headroom : before.headrooms()) {
      if (headroom.total() > 0) {
        // Cells of the same holder never share an id: a tenure finds at most two headrooms.
        long id = 2 * tenure.number() + unrecorded.size();
        long window = headroom.windowStartNanos();
        unrecorded.add(
            LedgerCell.granted(
                id, window, headroom.total(), lastLease(limit, window, unrecordedUntil)));
      }
    }
    if (!unrecorded.isEmpty()) {
      long epoch = tenure.number();
      holders.add(
          Holder.first(HolderId.Unrecorded.ONE, epoch, before.generation(), before.timeNanos())
              .withCells(unrecorded));
    }
    return onClockOf(tenure, before, now, ahead, List.of(), holders);
  }

  /**
   * @param aheadNanos most by which the successor's enforcer time may be ahead of true time since
   *     the predecessor's newest
   */
  private KeyLedger onClockOf(
      Tenure tenure,
      KeyLedger before,
      long now,
      long aheadNanos,
      List<Headroom> headrooms,
      List<Holder> holders) {
    Limit limit = before.limit();
    long number = tenure.number();
    long latest = Math.max(before.timeNanos(), tenure.predecessorsLatestNanos());
    long from = grantableFrom(before, latest, aheadNanos);
    if (!(limit instanceof RenewingLimit)) {
      return before.takenOver(number, before.state(), before.clock(), from, headrooms, holders);
    }
    long at = Math.max(now, before.timeNanos());
    StateClock clock = before.clock().setBack(aheadNanos, before.timeNanos());
    boolean asNew = Borders.isAsNew(limit, before.state(), clock.at(at));
    boolean aligned = !limit.bordersMatter() || Borders.isUnused(before, clock.lagNanos(), at);
    if (asNew && aligned) {
      return before.takenOver(
          number, limit.initial(at), StateClock.ENFORCER, from, headrooms, holders);
    }
    if (!limit.bordersMatter()) {
      return before.takenOver(number, before.state(), clock, from, headrooms, holders);
    }
    if (asNew) {
      // Use may be booked later than it was, so that a clock may be ahead while it stands still.
      StateClock ahead = before.clock().setBack(maxClockSkewNanos, at);
      LimitState unused = limit.initial(ahead.at(at));
      return before.takenOver(number, unused, ahead, from, headrooms, holders);
    }
    // Once the latest time has passed by any clock, only the difference of clocks is left.
    return before.takenOver(
        number,
        before.state(),
        before.clock().setBack(maxClockSkewNanos, latest),
        Math.max(from, latest + Math.max(STANDS_STILL_NANOS + 1, maxClockSkewNanos)),
        headrooms,
        holders);
  }

  /**
   * A successor must keep waiting for what the predecessor was waiting for when it wrote this, be
   * it the end of leases of the generation before or a point in time: that its own time begins
   * further ahead does not mean the wait is over, nor does each standstill beginning a little later
   * than the one before.
   */
  private static long grantableFrom(KeyLedger before, long latest, long aheadNanos) {
    long from = before.grantableFromNanos();
    return from > before.timeNanos()
        ? Math.max(from + aheadNanos, latest + STANDS_STILL_NANOS + 1)
        : from;
  }

  /**
   * Slots are free so long after the end of a lease, or after the last report: by a clock that may
   * be ahead, that much later.
   */
  private static LedgerCell slotsTakenOver(
      Holder holder, LedgerCell cell, long until, long aheadNanos) {
    if (!cell.isGranted() || cell.usage().closed()) {
      return cell;
    }
    long last = Math.max(cell.validUntilNanos(), holder.lastReportNanos()) + aheadNanos;
    return cell.withValidUntil(cell.isWrittenOff() ? last : Math.max(last, until));
  }

  private static LedgerCell renewed(Limit limit, Holder holder, LedgerCell cell, long until) {
    LedgerCell known = withBookings(limit, holder, cell);
    if (cell.isWrittenOff()) {
      // Where it was booked is not known by a clock that lags: it stays spent.
      return limit instanceof WindowedLimit ? known : known.withWrittenOff(0);
    }
    return cell.isGranted() && !cell.usage().closed()
        ? known.withValidUntil(Math.max(cell.validUntilNanos(), until))
        : known;
  }

  /**
   * Where permits renew with time, what an instance puts back later must not be freed where it was
   * booked by another clock. A queue of replays puts nothing back, and what it got of a window
   * counts against what it is still due: forgotten, it would be due all of that once more.
   */
  private static LedgerCell withBookings(Limit limit, Holder holder, LedgerCell cell) {
    return limit instanceof WindowedLimit || holder.isReplays() ? cell : cell.withBooked(0, 0);
  }

  /**
   * A share lasts as long as was committed before it was sent, by the clock of who wrote it: by
   * another it has ended a difference of clocks later, and not while time stands still. That is no
   * more, however many take over before it is renewed.
   */
  private LedgerCell shareTakenOver(Limit limit, Holder holder, LedgerCell cell, Tenure tenure) {
    LedgerShare share = cell.share().takenOver();
    long until =
        Math.max(
            share.term().endNanos() + maxClockSkewNanos,
            tenure.predecessorsLatestNanos() + STANDS_STILL_NANOS);
    LedgerCell known = renewed(limit, holder, cell, 0).withShare(share);
    return cell.isShareInUse() ? known.withValidUntil(until) : known;
  }

  private long lastLease(Limit limit, long window, long until) {
    return LedgerCell.leaseEnd(limit, window, until, borderNanos);
  }
}
