package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.ledger.ClockBound;
import io.quotaenforcer.core.ledger.Holder;
import io.quotaenforcer.core.ledger.LedgerCell;
import io.quotaenforcer.core.ledger.LedgerShare;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import java.util.ArrayList;
import java.util.List;

/** The holders in a ledger's row. */
final class HolderCodec {
  private HolderCodec() {}

  static void write(RowOutput out, Holder holder) {
    out.writeText(holder.instance());
    out.writeLong(holder.epoch());
    out.writeLong(holder.generation());
    out.writeDouble(holder.demandPerSecond());
    out.writeLong(holder.needed());
    out.writeLong(holder.loopNanos());
    out.writeLong(holder.lastReportNanos());
    writeClockBound(out, holder.clockBound());
    out.writeLong(holder.settledGranted());
    out.writeLong(holder.settledOpened());
    out.writeInt(holder.cells().size());
    for (LedgerCell cell : holder.cells()) {
      CellUsage usage = cell.usage();
      out.writeLong(usage.id());
      out.writeLong(usage.windowStartNanos());
      out.writeLong(usage.granted());
      out.writeLong(usage.taken());
      out.writeLong(usage.putBack());
      out.writeLong(usage.givenBack());
      out.writeLong(usage.throttled());
      out.writeBoolean(usage.closed());
      writeShare(out, usage.shareNumber(), cell.share());
      out.writeLong(cell.granted());
      out.writeLong(cell.validUntilNanos());
      out.writeLong(cell.bookedWindow());
      out.writeLong(cell.bookedThere());
      out.writeLong(cell.writtenOff());
    }
  }

  private static void writeShare(RowOutput out, long reportedNumber, LedgerShare share) {
    out.writeBoolean(share.isShare());
    if (share.isShare()) {
      out.writeLong(reportedNumber);
      writeTerms(out, share.held());
      writeTerms(out, share.offered());
      out.writeLong(share.offeredCommit());
      out.writeLong(share.sinceNanos());
    }
  }

  private static void writeTerms(RowOutput out, RateShare terms) {
    out.writeLong(terms.number());
    out.writeLong(terms.permits());
    out.writeLong(terms.burstMillis());
  }

  private static LedgerShare readShare(RowInput in) {
    return new LedgerShare(readTerms(in), readTerms(in), in.readLong(), in.readLong());
  }

  private static RateShare readTerms(RowInput in) {
    return new RateShare(in.readLong(), in.readLong(), in.readLong());
  }

  private static void writeClockBound(RowOutput out, ClockBound bound) {
    boolean known = bound.isKnown();
    out.writeBoolean(known);
    if (known) {
      out.writeLong(bound.sinceNanos());
      out.writeLong(bound.mostNanos());
      out.writeLong(bound.mostBeforeNanos());
    }
  }

  private static ClockBound readClockBound(RowInput in) {
    return in.readBoolean()
        ? new ClockBound(in.readLong(), in.readLong(), in.readLong())
        : ClockBound.NONE;
  }

  static Holder read(RowInput in, boolean withShares) {
    String instance = in.readText();
    long epoch = in.readLong();
    long generation = in.readLong();
    double demand = in.readDouble();
    long needed = in.readLong();
    long loop = in.readLong();
    long lastReport = in.readLong();
    ClockBound clockBound = readClockBound(in);
    long settledGranted = in.readLong();
    long settledOpened = in.readLong();
    int count = in.readInt();
    List<LedgerCell> cells = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      CellUsage usage =
          new CellUsage(
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readBoolean());
      boolean shares = withShares && in.readBoolean();
      CellUsage reported = shares ? usage.ofShare(in.readLong()) : usage;
      LedgerShare share = shares ? readShare(in) : LedgerShare.NONE;
      cells.add(
          new LedgerCell(
              reported,
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              share));
    }
    return new Holder(
        instance,
        epoch,
        generation,
        demand,
        needed,
        loop,
        lastReport,
        clockBound,
        settledGranted,
        settledOpened,
        cells);
  }
}
