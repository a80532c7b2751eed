package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.ledger.Counting;
import io.quotaenforcer.core.ledger.Headroom;
import io.quotaenforcer.core.ledger.Holder;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.KeyTimes;
import io.quotaenforcer.core.ledger.StateClock;
import io.quotaenforcer.core.ledger.Trust;
import io.quotaenforcer.core.ledger.WindowCount;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Ledger rows as bytes: a format version, the row's time, counts of the key's newest windows, then
 * the fields in the order of the records. A quota key that many instances use has a long row, which
 * every report writes anew: it is kept short.
 */
public final class KeyLedgerCodec {
  private static final int VERSION = 8;

  /** The same without the facts about openings. */
  private static final int WITHOUT_TRUST = 7;

  /**
   * The same with all fields of each cell, and the newest count only, but all of it: a row of its
   * own is outdated.
   */
  private static final int WITH_ONE_COUNT = 6;

  /** The same without counts. */
  private static final int WITHOUT_COUNT = 5;

  /** The same with fewer kinds of limits, and short states. */
  private static final int WITH_FEW_LIMITS = 4;

  /** The same without rate shares. */
  private static final int WITHOUT_SHARES = 3;

  /** For this many holders, all cells are likely to be read when one holder reports. */
  private static final int FEW_HOLDERS = 8;

  private KeyLedgerCodec() {}

  public static byte[] write(KeyLedger ledger) {
    return write(ledger, List.of(), WrittenLedger.NONE);
  }

  /**
   * @param counts of the newest windows, oldest first
   * @param before the key's row as it was
   */
  public static byte[] write(KeyLedger ledger, List<WindowCount> counts, WrittenLedger before) {
    long rowTime = before.timeOfNext(ledger.timeNanos());
    RowOutput out = new RowOutput(VERSION, rowTime, before.likelyLengthOfNext());
    CountsRow.write(counts, out);
    writeAllButHolders(out, ledger);
    List<Holder> holders = ledger.holders();
    int written = 0;
    while (written < holders.size()) {
      int same = before.copy(written, holders, rowTime, out);
      if (same == 0) {
        HolderCodec.write(out, holders.get(written));
      }
      written += Math.max(1, same);
    }
    return out.toByteArray();
  }

  private static void writeAllButHolders(RowOutput out, KeyLedger ledger) {
    out.writeLong(ledger.generation());
    LimitTermsCodec.write(out, ledger.limit());
    LimitStateCodec.write(out, ledger.state());
    out.writeLong(ledger.grantableFromNanos());
    out.writeLong(ledger.timeNanos());
    out.writeLong(ledger.exhaustedUntilNanos());
    writeTrust(out, ledger.trust());
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

  private static void writeTrust(RowOutput out, Trust trust) {
    boolean known = !trust.equals(Trust.WHOLE);
    out.writeBoolean(known);
    if (known) {
      out.writeLong(trust.shortUntilNanos());
      out.writeLong(trust.abusedUntilNanos());
      out.writeInt(trust.abuses());
      out.writeLong(trust.periodStartNanos());
      out.writeLong(trust.over());
    }
  }

  private static Trust readTrust(RowInput in) {
    return in.version() > WITHOUT_TRUST && in.readBoolean()
        ? new Trust(in.readLong(), in.readLong(), in.readInt(), in.readLong(), in.readLong())
        : Trust.WHOLE;
  }

  /** Throws IllegalStateException when the bytes are of another format version. */
  public static KeyLedger read(byte[] value) {
    return readRow(value).ledger();
  }

  /**
   * Contents of a row.
   *
   * @param counts of the newest windows of the key, oldest first; empty in an old row, whose counts
   *     were all kept apart
   * @param replaced in an old row, the window whose count is entirely here: any row of its own is
   *     outdated
   * @param written source for the next row; empty if the row has an old format
   */
  public record Row(
      KeyLedger ledger, List<WindowCount> counts, OptionalLong replaced, WrittenLedger written) {}

  /** Throws IllegalStateException when the bytes are of another format version. */
  public static Row readRow(byte[] value) {
    try {
      RowInput in = begin(value);
      List<WindowCount> counts = readCounts(in);
      long generation = in.readLong();
      boolean fewLimits = in.version() <= WITH_FEW_LIMITS;
      Limit limit = fewLimits ? LimitTermsCodec.readFew(in) : LimitTermsCodec.read(in);
      LimitState state = LimitStateCodec.read(in, limit, fewLimits ? in.readByte() : in.readInt());
      long grantableFrom = in.readLong();
      long time = in.readLong();
      long exhaustedUntil = in.readLong();
      Trust trust = readTrust(in);
      StateClock clock = new StateClock(in.readLong(), in.readLong());
      long tenure = in.readLong();
      int headroomCount = in.readByte();
      List<Headroom> headrooms = new ArrayList<>(headroomCount);
      for (int i = 0; i < headroomCount; i++) {
        headrooms.add(new Headroom(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
      }
      int count = in.readInt();
      List<Holder> holders = new ArrayList<>(count);
      int[] ends = new int[Math.min(count, value.length) + 1];
      ends[0] = in.position();
      for (int i = 0; i < count; i++) {
        holders.add(HolderCodec.read(in, count <= FEW_HOLDERS));
        ends[i + 1] = in.position();
      }
      KeyLedger ledger =
          new KeyLedger(
              new Counting(generation, limit, state, clock),
              new KeyTimes(time, grantableFrom, exhaustedUntil, tenure),
              trust,
              headrooms,
              holders);
      WrittenLedger written =
          in.version() == VERSION
              ? new WrittenLedger(in.timeNanos(), ledger.holders(), ends, value)
              : WrittenLedger.NONE;
      OptionalLong replaced =
          in.version() == WITH_ONE_COUNT && !counts.isEmpty()
              ? OptionalLong.of(counts.get(0).windowStartNanos())
              : OptionalLong.empty();
      return new Row(ledger, counts, replaced, written);
    } catch (IndexOutOfBoundsException e) {
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

  private static List<WindowCount> readCounts(RowInput in) {
    if (in.version() > WITH_ONE_COUNT) {
      return CountsRow.read(in);
    }
    return in.version() > WITHOUT_COUNT && in.readBoolean()
        ? List.of(new WindowCount(in.readLong(), in.readLong(), in.readLong()))
        : List.of();
  }
}
