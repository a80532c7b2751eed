package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.RequestCost;
import java.util.List;

/**
 * One epoch of an instance as a holder of permits of a quota key.
 *
 * @param report its newest
 * @param settled cells that are not kept any more
 * @param cells cells that are not settled yet, by ascending id
 */
public record Holder(HolderKey key, LastReport report, Settled settled, HolderCells cells) {

  private static final double NANOS_PER_SECOND = 1e9;

  /** Retentions for which cells are remembered that an instance left open: a day by default. */
  private static final int SILENT_RETENTIONS = 144;

  static Holder first(HolderId id, long epoch, long generation, long now) {
    HolderKey key = new HolderKey(id, epoch, generation);
    return new Holder(key, LastReport.none(now), Settled.NONE, HolderCells.NONE);
  }

  boolean is(HolderId otherId, long otherEpoch, long otherGeneration) {
    return epoch() == otherEpoch && generation() == otherGeneration && id().equals(otherId);
  }

  public HolderId id() {
    return key.id();
  }

  public long epoch() {
    return key.epoch();
  }

  public long generation() {
    return key.generation();
  }

  double demandPerSecond() {
    return report.demandPerSecond();
  }

  long needed() {
    return report.needed();
  }

  /** The most of that which has to be there at once to be of any use. */
  long neededAtOnce() {
    return report.need().whole();
  }

  /** What its requests cost. */
  RequestCost cost() {
    return report.need().cost();
  }

  long loopNanos() {
    return report.loopNanos();
  }

  /** Enforcer time of its newest report. */
  public long lastReportNanos() {
    return report.time().atNanos();
  }

  ClockBound clockBound() {
    return report.clockBound();
  }

  /** Whether it is a queue of deferred requests. */
  boolean isReplays() {
    return id() instanceof HolderId.Replays;
  }

  /** Whether it holds what a predecessor may have granted. */
  boolean isUnrecorded() {
    return id() instanceof HolderId.Unrecorded;
  }

  /** Whether it stands for those that were folded. */
  boolean isFolded() {
    return id().equals(HolderId.Reserved.FOLDED);
  }

  /** Whether a cell with this id was closed and booked before. */
  boolean hasSettled(long id) {
    return settled.has(id);
  }

  /**
   * Permits that the instance may still take and that are not booked yet.
   *
   * @param window for a kind whose permits belong to windows, the window asked about
   */
  long outstanding(Limit limit, long window) {
    return limit instanceof WindowedLimit
        ? cells.outstandingOf(window)
        : cells.outstandingInLeases();
  }

  /** Enforcer time from which a late report of this holder need not be recognised. */
  long forgettableFrom(long retentionNanos) {
    boolean mayReport = isFolded() || (hasOpenCell() && !isUnrecorded());
    return lastReportNanos() + retentionNanos * (mayReport ? SILENT_RETENTIONS : 1);
  }

  boolean hasOpenCell() {
    return cells.hasOpen();
  }

  /** This holder with every lease ended: its cells were granted under a rule that is gone. */
  Holder ended() {
    return withCells(cells.stream().map(cell -> cell.withWrittenOff(0)).toList())
        .withClockBound(ClockBound.NONE);
  }

  /** Whether it ever had permits: what it refused before tells nothing of the limit. */
  boolean wasGranted() {
    return cells.hasGranted() || settled.granted() > 0;
  }

  /** Permits per second that it asks for beside those that its share gives it. */
  double demandToLease(Limit limit) {
    if (!cells.hasShareInUse()) {
      return demandPerSecond();
    }
    double byShare = share().held().permits() * NANOS_PER_SECOND / limit.periodNanos();
    return Math.max(0, demandPerSecond() - byShare);
  }

  /** Its share of the limit; {@link LedgerShare#NONE} when it has none. */
  LedgerShare share() {
    if (!cells.hasShareInUse()) {
      return LedgerShare.NONE;
    }
    for (LedgerCell cell : cells) {
      if (cell.isShareInUse()) {
        return cell.share();
      }
    }
    return LedgerShare.NONE;
  }

  /** For a cell to be granted now: higher than that of any before. */
  long nextGrantedId(long now) {
    long highest = newestGrantedId();
    for (LedgerCell cell : cells) {
      // Terms of a share are numbered from its id, so that a number tells which share it is of.
      highest = Math.max(highest, cell.share().offered().number());
    }
    return Math.max(now, highest + 1);
  }

  /** The highest id of a granted cell that it had; 0 for none. */
  long newestGrantedId() {
    long highest = settled.granted();
    for (LedgerCell cell : cells) {
      highest = Math.max(highest, cell.id());
    }
    return highest;
  }

  boolean hasDemand() {
    return demandPerSecond() > 0 || needed() > 0;
  }

  Holder withCells(List<LedgerCell> newCells) {
    return new Holder(key, report, settled, HolderCells.of(newCells));
  }

  Holder withClockBound(ClockBound newer) {
    return withReport(report.withClockBound(newer));
  }

  Holder withReport(LastReport newer) {
    return new Holder(key, newer, settled, cells);
  }

  Holder withSettled(Settled newer, List<LedgerCell> rest) {
    return new Holder(key, report, newer, HolderCells.of(rest));
  }
}
