package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import java.util.ArrayList;
import java.util.List;

/**
 * What an enforcer makes of a ledger that a predecessor kept. The predecessor may have granted its
 * whole headroom, and renewed every lease, and neither left a trace in what was committed: so the
 * headroom counts as held by a holder of its own, {@link #UNRECORDED}, and leases as renewed to the
 * last moment. What instances then report of cells that the ledger never saw is taken from there.
 *
 * <p>The successor's clock may be ahead of the predecessor's. Where permits renew with time they
 * are counted by a clock that lags so far behind that it cannot have jumped. How that relates to
 * the clocks of instances is not known at first.
 */
final class Takeover {
  /** No instance has this id. */
  static final String UNRECORDED = "";

  private final long mostAheadNanos;
  private final long borderNanos;

  /**
   * @param mostAheadNanos most by which enforcer time may jump at a takeover
   * @param borderNanos how long after the end of its window a lease may last
   */
  Takeover(long mostAheadNanos, long borderNanos) {
    this.mostAheadNanos = mostAheadNanos;
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
    boolean renewsWithTime = !limit.permitsBelongToWindow();
    StateClock clock =
        renewsWithTime
            ? before.clock().setBack(mostAheadNanos, before.timeNanos())
            : before.clock();
    boolean unused = limit.available(before.state(), clock.at(at)) == limit.capacity();
    return renewsWithTime && unused
        ? before.takenOver(tenure.number(), limit.initial(at), StateClock.ENFORCER, holders)
        : before.takenOver(tenure.number(), before.state(), clock, holders);
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
    return cell.withBooked(0, 0).withValidUntil(Math.max(cell.validUntilNanos(), last));
  }

  private long lastLease(Limit limit, long window, Tenure tenure) {
    return limit.permitsBelongToWindow()
        ? Math.min(tenure.predecessorsUntilNanos(), window + limit.periodNanos() + borderNanos)
        : tenure.predecessorsUntilNanos();
  }
}
