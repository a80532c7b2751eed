package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.ledger.ClockBound;
import io.quotaenforcer.core.ledger.Headroom;
import io.quotaenforcer.core.ledger.Holder;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.LedgerCell;
import io.quotaenforcer.core.ledger.LedgerShare;
import io.quotaenforcer.core.ledger.StateClock;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ledger rows as bytes: a format version, the row's time, the count of the key's newest window,
 * then the fields in the order of the records. A quota key that many instances use has a long row,
 * which every report writes anew: it is kept short.
 */
public final class KeyLedgerCodec {
  private static final int VERSION = 6;

  /** The same without a count. */
  private static final int WITHOUT_COUNT = 5;

  /** The same with fewer kinds of limits, and short states. */
  private static final int WITH_FEW_LIMITS = 4;

  /** The same without rate shares. */
  private static final int WITHOUT_SHARES = 3;

  private KeyLedgerCodec() {}

  public static byte[] write(KeyLedger ledger) {
    return write(ledger, Optional.empty(), WrittenLedger.NONE).bytes();
  }

  /**
   * @param newest what was counted in the newest window
   * @param before the key's row as it was written last
   */
  public static WrittenLedger write(
      KeyLedger ledger, Optional<WindowCount> newest, WrittenLedger before) {
    long rowTime = before.timeOfNext(ledger.timeNanos());
    RowOutput out = new RowOutput(VERSION, rowTime, before.likelyLengthOfNext());
    writeCount(out, newest);
    writeAllButHolders(out, ledger);
    List<Holder> holders = ledger.holders();
    int[] ends = new int[holders.size() + 1];
    ends[0] = out.length();
    for (int i = 0; i < holders.size(); i++) {
      Holder holder = holders.get(i);
      if (!before.copy(i, holder, rowTime, out)) {
        writeHolder(out, holder);
      }
      ends[i + 1] = out.length();
    }
    return new WrittenLedger(rowTime, holders, ends, out.toByteArray());
  }

  private static void writeCount(RowOutput out, Optional<WindowCount> newest) {
    out.writeBoolean(newest.isPresent());
    if (newest.isPresent()) {
      WindowCount count = newest.get();
      out.writeLong(count.windowStartNanos());
      out.writeLong(count.used());
      out.writeLong(count.throttled());
    }
  }

  private static void writeAllButHolders(RowOutput out, KeyLedger ledger) {
    out.writeLong(ledger.generation());
    LimitTermsCodec.write(out, ledger.limit());
    out.writeInt(ledger.state().size());
    for (int i = 0; i < ledger.state().size(); i++) {
      out.writeLong(ledger.state().word(i));
    }
    out.writeLong(ledger.grantableFromNanos());
    out.writeLong(ledger.timeNanos());
    out.writeLong(ledger.exhaustedUntilNanos());
    out.writeLong(ledger.clock().lagNanos());
    out.writeLong(ledger.clock().floorNanos());
    out.writeLong(ledger.tenure());
    out.writeByte(ledger.headrooms().size());
    for (Headroom headroom : ledger.headrooms()) {
      out.writeLong(headroom.windowStartNanos());
      out.writeLong(headroom.ready());
      out.writeLong(headroom.pending());
      out.writeLong(headroom.pendingCommit());
    }
    out.writeInt(ledger.holders().size());
  }

  /** Throws IllegalStateException when the bytes are of another format version. */
  public static KeyLedger read(byte[] value) {
    try {
      RowInput in = begin(value);
      readCount(in);
      long generation = in.readLong();
      boolean fewLimits = in.version() <= WITH_FEW_LIMITS;
      Limit limit = fewLimits ? LimitTermsCodec.readFew(in) : LimitTermsCodec.read(in);
      long[] words = new long[fewLimits ? in.readByte() : in.readInt()];
      for (int i = 0; i < words.length; i++) {
        words[i] = in.readLong();
      }
      long grantableFrom = in.readLong();
      long time = in.readLong();
      long exhaustedUntil = in.readLong();
      StateClock clock = new StateClock(in.readLong(), in.readLong());
      long tenure = in.readLong();
      int headroomCount = in.readByte();
      List<Headroom> headrooms = new ArrayList<>(headroomCount);
      for (int i = 0; i < headroomCount; i++) {
        headrooms.add(new Headroom(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
      }
      int count = in.readInt();
      List<Holder> holders = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        holders.add(readHolder(in));
      }
      return new KeyLedger(
          generation,
          limit,
          LimitState.of(words),
          grantableFrom,
          time,
          exhaustedUntil,
          clock,
          tenure,
          headrooms,
          holders);
    } catch (BufferUnderflowException e) {
      throw new IllegalStateException("a ledger row is cut off", e);
    }
  }

  /**
   * What was counted in the newest window of the key; empty for a row of an older enforcer, which
   * kept all counts apart.
   */
  public static Optional<WindowCount> readNewestCount(byte[] value) {
    try {
      return readCount(begin(value));
    } catch (BufferUnderflowException e) {
      throw new IllegalStateException("a ledger row is cut off", e);
    }
  }

  private static RowInput begin(byte[] value) {
    RowInput in = new RowInput(value);
    if (in.version() < WITHOUT_SHARES || in.version() > VERSION) {
      throw new IllegalStateException(
          "a ledger row has format version %d, this enforcer reads %d to %d; run the enforcer version that wrote the state"
              .formatted(in.version(), WITHOUT_SHARES, VERSION));
    }
    in.readTime();
    return in;
  }

  private static Optional<WindowCount> readCount(RowInput in) {
    return in.version() > WITHOUT_COUNT && in.readBoolean()
        ? Optional.of(new WindowCount(in.readLong(), in.readLong(), in.readLong()))
        : Optional.empty();
  }

  private static void writeHolder(RowOutput out, Holder holder) {
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

  private static Holder readHolder(RowInput in) {
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
      boolean shares = in.version() > WITHOUT_SHARES && in.readBoolean();
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
