package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import java.util.ArrayList;
import java.util.List;

/**
 * What an enforcer makes of a ledger that a predecessor kept. The predecessor may have granted its
 * whole headroom, and renewed every lease, and neither left a trace in what was committed: so the
 * headroom counts as held by a holder of its own, {@link #UNRECORDED}, and leases as renewed to the
 * last moment. Rate shares that were committed may have been sent. What instances then report of
 * cells that the ledger never saw is taken from there.
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
  /** No instance has this id. */
  static final String UNRECORDED = "";

  private final long mostAheadNanos;
  private final long maxClockSkewNanos;
  private final long borderNanos;

  /**
   * @param aheadNanos how far enforcer time may be ahead of the predecessor's clock
   * @param maxClockSkewNanos most by which the successor's clock may be ahead of it, or behind
   * @param borderNanos how long after the end of its window a lease may last
   */
  Takeover(long aheadNanos, long maxClockSkewNanos, long borderNanos) {
    this.mostAheadNanos = aheadNanos + maxClockSkewNanos;
    this.maxClockSkewNanos = maxClockSkewNanos;
    this.borderNanos = borderNanos;
  }

  KeyLedger of(KeyLedger before, Tenure tenure, long now) {
    if (before.tenure() == tenure.number()) {
      return before;
    }
    Limit limit = before.limit();
    List<Holder> holders = new ArrayList<>(before.holders().size() + 1);
    for (Holder holder : before.holders()) {
      List<LedgerCell> cells = new ArrayList<>(holder.cells());
      cells.replaceAll(cell -> renewed(limit, cell, tenure));
      holders.add(holder.withCells(cells).withClockBound(ClockBound.NONE));
    }
    List<LedgerCell> unrecorded = new ArrayList<>(2);
    for (Headroom headroom : before.headrooms()) {
      if (headroom.total() > 0) {
        // Cells of the same holder never share an id: a tenure finds at most two headrooms.
        long id = 2 * tenure.number() + unrecorded.size();
        long window = headroom.windowStartNanos();
        unrecorded.add(
            LedgerCell.granted(id, window, headroom.total(), lastLease(limit, window, tenure)));
      }
    }
    if (!unrecorded.isEmpty()) {
      long epoch = tenure.number();
      holders.add(
          Holder.first(UNRECORDED, epoch, before.generation(), before.timeNanos())
              .withCells(unrecorded));
    }
    long at = Math.max(now, before.timeNanos());
    if (limit.permitsBelongToWindow()) {
      return before.takenOver(
          tenure.number(), before.state(), before.clock(), before.grantableFromNanos(), holders);
    }
    StateClock clock = before.clock().setBack(mostAheadNanos, before.timeNanos());
    if (limit.available(before.state(), clock.at(at)) == limit.capacity()) {
      return before.takenOver(
          tenure.number(),
          limit.initial(at),
          StateClock.ENFORCER,
          before.grantableFromNanos(),
          holders);
    }
    if (!limit.slidesByWindow()) {
      return before.takenOver(
          tenure.number(), before.state(), clock, before.grantableFromNanos(), holders);
    }
    long latest = Math.max(before.timeNanos(), tenure.predecessorsLatestNanos());
    return before.takenOver(
        tenure.number(),
        before.state(),
        before.clock().setBack(mostAheadNanos, latest),
        Math.max(before.grantableFromNanos(), latest + maxClockSkewNanos),
        holders);
  }

  private LedgerCell renewed(Limit limit, LedgerCell cell, Tenure tenure) {
    if (!limit.permitsBelongToWindow() && cell.isWrittenOff()) {
      // Where it was booked is not known by the clock that lags: it stays spent.
      return cell.withWrittenOff(0).withBooked(0, 0);
    }
    if (!cell.isGranted() || cell.isWrittenOff() || cell.usage().closed()) {
      return cell.withBooked(0, 0);
    }
    long last = lastLease(limit, cell.usage().windowStartNanos(), tenure);
    return cell.withBooked(0, 0)
        .withValidUntil(Math.max(cell.validUntilNanos(), last))
        .withShare(cell.share().takenOver());
  }

  private long lastLease(Limit limit, long window, Tenure tenure) {
    return limit.permitsBelongToWindow()
        ? Math.min(tenure.predecessorsUntilNanos(), window + limit.periodNanos() + borderNanos)
        : tenure.predecessorsUntilNanos();
  }
}
