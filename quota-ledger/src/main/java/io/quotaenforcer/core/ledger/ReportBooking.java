package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import java.util.ArrayList;
import java.util.List;

/** What a report says of a key, booked on its holder. */
final class ReportBooking {
  private ReportBooking() {}

  /** Books every reported cell; the ids of those that are closed and done with. */
  static List<Long> book(WorkingLedger ledger, int index, QuotaUsage usage, UsageReport report) {
    Holder holder = ledger.holders().get(index);
    List<LedgerCell> cells = new ArrayList<>(holder.cells());
    List<Long> settled = new ArrayList<>();
    boolean current = usage.generation() == ledger.generation;
    long asked = 0;
    for (CellUsage reported : usage.cells()) {
      int at = indexOf(cells, reported.id());
      if (at < 0 && (holder.hasSettled(reported.id()) || isFolded(ledger, holder, reported))) {
        settled.add(reported.id());
        continue;
      }
      if (at < 0) {
        cells.add(LedgerCell.reportedOnly(reported.id(), window(ledger, reported), ledger.now));
        at = cells.size() - 1;
      }
      LedgerCell known = current ? ledger.recall(cells.get(at), reported) : cells.get(at);
      LedgerCell booked = ledger.book(known, reported, current, holder);
      cells.set(at, booked);
      asked = PermitCount.plus(asked, newlyAsked(known.usage(), booked.usage()));
      if (booked.usage().closed()) {
        settled.add(booked.id());
      }
    }
    Holder booked = holder.withCells(cells);
    Holder charged = current ? ledger.account.chargeShares(booked) : booked;
    ReportTime time = new ReportTime(ledger.now, report.sentNanos());
    LastReport newest =
        holder
            .report()
            .then(
                usage.demandPerSecond(),
                asked,
                usage.need().withCost(usage.need().cost().atMost(ledger.limit.capacity())),
                report.loopNanos(),
                time,
                clockBound(ledger, holder, report),
                ClassReport.then(
                    holder.report().classes(),
                    usage.classes(),
                    new ClassReport.Span(
                        holder.lastReportNanos(), ledger.now, holder.report().time().until(time)),
                    ledger.limit),
                LastReport.cutCostsNanos(ledger.limit, !usage.classes().isEmpty()));
    LastReport steady = FallenDemand.steadyOf(newest, holder, booked, ledger.limit);
    ledger.holders().set(index, withoutSettled(ledger, charged).withReport(steady));
    HolderBound.check(ledger, ledger.holders().get(index));
    ledger.lend();
    return settled;
  }

  /** Whether a cell is of a holder that was folded, and comes back. */
  private static boolean isFolded(WorkingLedger ledger, Holder holder, CellUsage reported) {
    return reported.id() > 0
        && holder.newestGrantedId() == 0
        && reported.id() <= ledger.foldedUntil();
  }

  /** Kept only where borders matter, as with sliding windows. */
  private static ClockBound clockBound(WorkingLedger ledger, Holder holder, UsageReport report) {
    return ledger.limit.bordersMatter()
        ? holder.clockBound().seen(ledger.stateTime(ledger.now), report.sentNanos())
        : ClockBound.NONE;
  }

  /**
   * Drops closed cells, but only those below every open one that is not a share, which may be in
   * use for ever: what is dropped is remembered by id, and what a queue of replays got of a window
   * that is not over yet.
   */
  private static Holder withoutSettled(WorkingLedger ledger, Holder holder) {
    List<LedgerCell> cells = holder.cells();
    long lowestOpenGrant = Long.MAX_VALUE;
    long highestOpenOpened = Long.MIN_VALUE;
    for (LedgerCell cell : cells) {
      if (!cell.usage().closed() && cell.isGranted()) {
        boolean stays = cell.isShareInUse();
        lowestOpenGrant = stays ? lowestOpenGrant : Math.min(lowestOpenGrant, cell.id());
      } else if (!cell.usage().closed() || isOfWindowNotOver(ledger, cell)) {
        highestOpenOpened = Math.max(highestOpenOpened, cell.id());
      }
    }
    long settledGranted = holder.settled().granted();
    long settledOpened = holder.settled().opened();
    List<LedgerCell> rest = new ArrayList<>(cells.size());
    ReplayMemory replays = new ReplayMemory(ledger, holder);
    for (LedgerCell cell : cells) {
      if (cell.isShareInUse()) {
        rest.add(cell);
      } else if (cell.isGranted() && cell.id() < lowestOpenGrant) {
        settledGranted = Math.max(settledGranted, cell.id());
        replays.settled(cell);
      } else if (!cell.isGranted() && cell.id() > highestOpenOpened) {
        settledOpened = Math.min(settledOpened, cell.id());
      } else {
        rest.add(cell);
      }
    }
    replays.addTo(rest);
    return holder.withSettled(new Settled(settledGranted, settledOpened), rest);
  }

  /**
   * Whether its holder has ended a window before the ledger has, which stands still after a
   * takeover: what it used by its share is still to be charged if that is cut or ends.
   */
  private static boolean isOfWindowNotOver(WorkingLedger ledger, LedgerCell cell) {
    return cell.isOfShare()
        && cell.usage().windowStartNanos() >= ledger.limit.windowStart(ledger.now);
  }

  private static int indexOf(List<LedgerCell> cells, long id) {
    for (int i = 0; i < cells.size(); i++) {
      if (cells.get(i).id() == id) {
        return i;
      }
    }
    return -1;
  }

  /** Permits that were asked for of a cell, given or refused. */
  private static long newlyAsked(CellUsage before, CellUsage after) {
    return Math.max(0, after.used() - before.used())
        + Math.max(0, after.throttled() - before.throttled());
  }

  /**
   * The window of a cell that the instance opened; one that cannot be right becomes the current.
   */
  private static long window(WorkingLedger ledger, CellUsage reported) {
    long window = UseOnce.window(ledger.limit, reported.windowStartNanos(), ledger.now);
    return ledger.limit.cellWindow(window);
  }
}
