package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.ledger.Booking;
import io.quotaenforcer.core.ledger.ClassReport;
import io.quotaenforcer.core.ledger.ClockBound;
import io.quotaenforcer.core.ledger.Grant;
import io.quotaenforcer.core.ledger.Holder;
import io.quotaenforcer.core.ledger.HolderCells;
import io.quotaenforcer.core.ledger.HolderKey;
import io.quotaenforcer.core.ledger.LastReport;
import io.quotaenforcer.core.ledger.LedgerCell;
import io.quotaenforcer.core.ledger.LedgerShare;
import io.quotaenforcer.core.ledger.ReportTime;
import io.quotaenforcer.core.ledger.Settled;
import io.quotaenforcer.core.ledger.ShareTerm;
import io.quotaenforcer.core.ledger.SteadyDemand;
import io.quotaenforcer.core.message.CellCounts;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.EarlierUse;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.NamedShare;
import io.quotaenforcer.core.message.Need;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.message.RequestCost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The holders in a ledger's row. */
final class HolderCodec {
  // The fields present in a cell. Most are 0 in most cells.
  private static final int WINDOW = 1;
  private static final int KNOWN_GRANTED = 1 << 1;
  private static final int TAKEN = 1 << 2;
  private static final int PUT_BACK = 1 << 3;
  private static final int GIVEN_BACK = 1 << 4;
  private static final int THROTTLED = 1 << 5;
  private static final int CLOSED = 1 << 6;
  private static final int SHARE = 1 << 7;
  private static final int GRANTED = 1 << 8;
  private static final int VALID_UNTIL = 1 << 9;
  private static final int BOOKED_WINDOW = 1 << 10;
  private static final int BOOKED_THERE = 1 << 11;
  private static final int WRITTEN_OFF = 1 << 12;
  private static final int OVER = 1 << 13;
  private static final int SHARE_NUMBER = 1 << 14;
  private static final int SHARE_USED = 1 << 15;

  // The fields present in a report, beside those that always are.
  private static final int CLOCK_BOUND = 1;
  private static final int DEMAND_CLASSES = 1 << 1;
  private static final int SENT = 1 << 2;
  private static final int COSTLIEST = 1 << 3;
  private static final int COST = 1 << 4;
  private static final int PAUSED = 1 << 5;

  private static final long NOT_WRITTEN_OFF = -1;

  private HolderCodec() {}

  static void write(RowOutput out, Holder holder) {
    out.writeText(holder.id().text());
    out.writeLong(holder.epoch());
    out.writeLong(holder.generation());
    out.writeDouble(holder.report().demandPerSecond());
    out.writeDouble(holder.report().steadyPerSecond());
    out.writeLong(holder.report().needed());
    out.writeLong(holder.report().loopNanos());
    out.writeLong(holder.lastReportNanos());
    writeRestOfReport(out, holder.report());
    out.writeLong(holder.settled().granted());
    out.writeLong(holder.settled().opened());
    out.writeInt(holder.cells().size());
    for (LedgerCell cell : holder.cells()) {
      writeCell(out, cell);
    }
  }

  private static void writeCell(RowOutput out, LedgerCell cell) {
    CellUsage usage = cell.usage();
    int fields =
        (usage.windowStartNanos() == 0 ? 0 : WINDOW)
            | (usage.granted() == 0 ? 0 : KNOWN_GRANTED)
            | (usage.taken() == 0 ? 0 : TAKEN)
            | (usage.putBack() == 0 ? 0 : PUT_BACK)
            | (usage.givenBack() == 0 ? 0 : GIVEN_BACK)
            | (usage.throttled() == 0 ? 0 : THROTTLED)
            | (usage.closed() ? CLOSED : 0)
            | (cell.share().isShare() ? SHARE : 0)
            | (cell.granted() == 0 ? 0 : GRANTED)
            | (cell.validUntilNanos() == 0 ? 0 : VALID_UNTIL)
            | (cell.bookedWindow() == 0 ? 0 : BOOKED_WINDOW)
            | (cell.bookedThere() == 0 ? 0 : BOOKED_THERE)
            | (cell.writtenOff() == NOT_WRITTEN_OFF ? 0 : WRITTEN_OFF)
            | (cell.over() == 0 ? 0 : OVER)
            | (usage.shareNumber() == 0 ? 0 : SHARE_NUMBER)
            | (usage.share().used() == NamedShare.NOT_SAID ? 0 : SHARE_USED);
    out.writeByte(fields >>> Byte.SIZE);
    out.writeByte(fields);
    out.writeLong(usage.id());
    write(out, fields & WINDOW, usage.windowStartNanos());
    write(out, fields & KNOWN_GRANTED, usage.granted());
    write(out, fields & TAKEN, usage.taken());
    write(out, fields & PUT_BACK, usage.putBack());
    write(out, fields & GIVEN_BACK, usage.givenBack());
    write(out, fields & THROTTLED, usage.throttled());
    write(out, fields & SHARE_NUMBER, usage.shareNumber());
    write(out, fields & SHARE_USED, usage.share().used());
    if ((fields & SHARE) != 0) {
      writeShare(out, cell.share());
    }
    write(out, fields & GRANTED, cell.granted());
    write(out, fields & VALID_UNTIL, cell.validUntilNanos());
    write(out, fields & BOOKED_WINDOW, cell.bookedWindow());
    write(out, fields & BOOKED_THERE, cell.bookedThere());
    write(out, fields & WRITTEN_OFF, cell.writtenOff());
    write(out, fields & OVER, cell.over());
  }

  private static void write(RowOutput out, int present, long value) {
    if (present != 0) {
      out.writeLong(value);
    }
  }

  private static LedgerCell readCell(RowInput in) {
    int fields = in.readByte() << Byte.SIZE | in.readByte() & 0xff;
    CellUsage counts =
        new CellUsage(
            in.readLong(),
            read(in, fields & WINDOW, 0),
            new CellCounts(
                read(in, fields & KNOWN_GRANTED, 0),
                read(in, fields & TAKEN, 0),
                read(in, fields & PUT_BACK, 0),
                read(in, fields & GIVEN_BACK, 0),
                read(in, fields & THROTTLED, 0)),
            (fields & CLOSED) != 0,
            EarlierUse.NONE,
            NamedShare.NONE);
    CellUsage usage =
        counts.ofShare(
            new NamedShare(
                read(in, fields & SHARE_NUMBER, 0),
                read(in, fields & SHARE_USED, NamedShare.NOT_SAID)));
    LedgerShare share = (fields & SHARE) != 0 ? readShare(in) : LedgerShare.NONE;
    return new LedgerCell(
        usage,
        new Grant(read(in, fields & GRANTED, 0), read(in, fields & VALID_UNTIL, 0)),
        new Booking(read(in, fields & BOOKED_WINDOW, 0), read(in, fields & BOOKED_THERE, 0)),
        read(in, fields & WRITTEN_OFF, NOT_WRITTEN_OFF),
        read(in, fields & OVER, 0),
        share);
  }

  private static long read(RowInput in, int present, long otherwise) {
    return present != 0 ? in.readLong() : otherwise;
  }

  private static void writeShare(RowOutput out, LedgerShare share) {
    writeTerms(out, share.held());
    writeTerms(out, share.offered());
    out.writeLong(share.offeredCommit());
    out.writeLong(share.sinceNanos());
    out.writeLong(share.term().endNanos());
    out.writeLong(share.term().sentNanos());
    out.writeLong(share.term().commit());
  }

  private static void writeTerms(RowOutput out, RateShare terms) {
    out.writeLong(terms.number());
    out.writeLong(terms.permits());
    out.writeLong(terms.burstMillis());
    out.writeLong(terms.filled());
  }

  private static LedgerShare readShare(RowInput in) {
    return new LedgerShare(
        readTerms(in),
        readTerms(in),
        in.readLong(),
        in.readLong(),
        new ShareTerm(in.readLong(), in.readLong(), in.readLong()));
  }

  private static RateShare readTerms(RowInput in) {
    return new RateShare(in.readLong(), in.readLong(), in.readLong(), in.readLong());
  }

  private static void writeRestOfReport(RowOutput out, LastReport report) {
    ClockBound bound = report.clockBound();
    int fields =
        (bound.isKnown() ? CLOCK_BOUND : 0)
            | (report.classes().isEmpty() ? 0 : DEMAND_CLASSES)
            | (report.time().isSentKnown() ? SENT : 0)
            | (report.need().costliest() == 0 ? 0 : COSTLIEST)
            | (report.need().cost().equals(RequestCost.ONE) ? 0 : COST)
            | (report.steady().isPaused() ? PAUSED : 0);
    out.writeByte(fields);
    if (bound.isKnown()) {
      out.writeLong(bound.sinceNanos());
      out.writeLong(bound.mostNanos());
      out.writeLong(bound.mostBeforeNanos());
    }
    if (!report.classes().isEmpty()) {
      out.writeInt(report.classes().size());
      for (ClassReport each : report.classes()) {
        out.writeDouble(each.perSecond());
        out.writeLong(each.needed());
        out.writeDouble(each.usedLately());
      }
    }
    write(out, fields & SENT, report.time().sentNanos());
    write(out, fields & COSTLIEST, report.need().costliest());
    write(out, fields & COST, report.need().cost().mean());
    write(out, fields & COST, report.need().cost().typical());
    if (report.steady().isPaused()) {
      out.writeDouble(report.steady().pausedPerSecond());
      out.writeLong(report.steady().pausedNanos());
    }
  }

  private static SteadyDemand readSteady(RowInput in, double perSecond, int fields) {
    boolean isPaused = (fields & PAUSED) != 0;
    return new SteadyDemand(
        perSecond, isPaused ? in.readDouble() : 0, isPaused ? in.readLong() : 0);
  }

  private static ClockBound readClockBound(RowInput in, int fields) {
    return (fields & CLOCK_BOUND) != 0
        ? new ClockBound(in.readLong(), in.readLong(), in.readLong())
        : ClockBound.NONE;
  }

  private static List<ClassReport> readClasses(RowInput in, int fields) {
    int count = (fields & DEMAND_CLASSES) != 0 ? in.readInt() : 0;
    List<ClassReport> classes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      classes.add(new ClassReport(in.readDouble(), in.readLong(), in.readDouble()));
    }
    return classes;
  }

  private static LedgerCell[] readCells(RowInput in, int count) {
    LedgerCell[] cells = new LedgerCell[count];
    for (int i = 0; i < count; i++) {
      cells[i] = readCell(in);
    }
    return cells;
  }

  /**
   * Reads a holder.
   *
   * @param keepsCells else they are read again from the row when needed
   */
  static Holder read(RowInput in, boolean keepsCells) {
    HolderId id = HolderId.of(in.readText());
    long epoch = in.readLong();
    long generation = in.readLong();
    double demand = in.readDouble();
    double steadyPerSecond = in.readDouble();
    long needed = in.readLong();
    long loop = in.readLong();
    long lastReport = in.readLong();
    int rest = in.readByte();
    ClockBound clockBound = readClockBound(in, rest);
    List<ClassReport> classes = readClasses(in, rest);
    ReportTime time = new ReportTime(lastReport, read(in, rest & SENT, ReportTime.UNKNOWN));
    long costliest = read(in, rest & COSTLIEST, 0);
    long mean = read(in, rest & COST, 1);
    RequestCost cost = RequestCost.told(mean, read(in, rest & COST, 1));
    SteadyDemand steady = readSteady(in, steadyPerSecond, rest);
    long settledGranted = in.readLong();
    long settledOpened = in.readLong();
    int count = in.readInt();
    HolderCells cells = HolderCells.NONE;
    if (count > 0) {
      RowInput from = in.copy();
      LedgerCell[] read = readCells(in, count);
      cells =
          keepsCells
              ? HolderCells.of(Arrays.asList(read))
              : HolderCells.of(read, () -> readCells(from.copy(), count));
    }
    return new Holder(
        new HolderKey(id, epoch, generation),
        new LastReport(
            demand, steady, new Need(needed, costliest, cost), loop, time, clockBound, classes),
        new Settled(settledGranted, settledOpened),
        cells);
  }
}
