package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.ledger.Counting;
import io.quotaenforcer.core.ledger.Headroom;
import io.quotaenforcer.core.ledger.Holder;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.KeyTimes;
import io.quotaenforcer.core.ledger.PenaltyState;
import io.quotaenforcer.core.ledger.StateClock;
import io.quotaenforcer.core.ledger.Trust;
import io.quotaenforcer.core.ledger.WindowCount;
import java.util.ArrayList;
import java.util.List;

/**
 * Ledger rows as bytes: a format version, the row's time, counts of the key's newest windows, then
 * the fields in the order of the records. A quota key that many instances use has a long row, which
 * every report writes anew: it is kept short.
 */
public final class KeyLedgerCodec {
  private static final int VERSION = 1;

  /** With what the key was throttled: an enforcer that does not know of it must not forget it. */
  private static final int VERSION_OF_PENALTY = 2;

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
    boolean isPlain = ledger.penalty().equals(PenaltyState.NONE);
    int version = isPlain ? VERSION : VERSION_OF_PENALTY;
    RowOutput out = new RowOutput(version, rowTime, before.likelyLengthOfNext());
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
    if (!ledger.penalty().equals(PenaltyState.NONE)) {
      writePenalty(out, ledger.penalty());
    }
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

  private static void writePenalty(RowOutput out, PenaltyState penalty) {
    out.writeLong(penalty.countedUntilNanos());
    out.writeInt(penalty.inARow());
    out.writeLong(penalty.untilNanos());
    out.writeLong(penalty.lengthNanos());
    out.writeByte(penalty.throttled().size());
    for (PenaltyState.Throttled throttled : penalty.throttled()) {
      out.writeLong(throttled.atNanos());
      out.writeLong(throttled.permits());
    }
  }

  private static PenaltyState readPenalty(RowInput in) {
    long countedUntil = in.readLong();
    int inARow = in.readInt();
    long until = in.readLong();
    long length = in.readLong();
    int count = in.readByte();
    List<PenaltyState.Throttled> throttled = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      throttled.add(new PenaltyState.Throttled(in.readLong(), in.readLong()));
    }
    return new PenaltyState(throttled, countedUntil, inARow, until, length);
  }

  private static Trust readTrust(RowInput in) {
    return in.readBoolean()
        ? new Trust(in.readLong(), in.readLong(), in.readInt(), in.readLong(), in.readLong())
        : Trust.WHOLE;
  }

  /** Whether a row says of a penalty, or of what may bring one; cheap, as most do not. */
  public static boolean hasPenalty(byte[] row) {
    return new RowInput(row).version() == VERSION_OF_PENALTY;
  }

  /** Throws IllegalStateException when the bytes are of another format version. */
  public static KeyLedger read(byte[] value) {
    return readRow(value).ledger();
  }

  /**
   * Contents of a row.
   *
   * @param counts of the newest windows of the key, oldest first
   * @param written source for the next row
   */
  public record Row(KeyLedger ledger, List<WindowCount> counts, WrittenLedger written) {}

  /** Throws IllegalStateException when the bytes are of another format version. */
  public static Row readRow(byte[] value) {
    try {
      RowInput in = begin(value);
      List<WindowCount> counts = CountsRow.read(in);
      long generation = in.readLong();
      Limit limit = LimitTermsCodec.read(in);
      LimitState state = LimitStateCodec.read(in, limit, in.readInt());
      long grantableFrom = in.readLong();
      long time = in.readLong();
      long exhaustedUntil = in.readLong();
      Trust trust = readTrust(in);
      PenaltyState penalty =
          in.version() == VERSION_OF_PENALTY ? readPenalty(in) : PenaltyState.NONE;
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
              penalty,
              headrooms,
              holders);
      return new Row(
          ledger, counts, new WrittenLedger(in.timeNanos(), ledger.holders(), ends, value));
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalStateException("a ledger row is cut off", e);
    }
  }

  private static RowInput begin(byte[] value) {
    RowInput in = new RowInput(value);
    if (in.version() != VERSION && in.version() != VERSION_OF_PENALTY) {
      throw new IllegalStateException(
          "a ledger row has format version %d, this enforcer reads %d; run the enforcer version that wrote the state"
              .formatted(in.version(), VERSION_OF_PENALTY));
    }
    in.readTime();
    return in;
  }
}
