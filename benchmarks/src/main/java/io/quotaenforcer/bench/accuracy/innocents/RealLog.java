package io.quotaenforcer.bench.accuracy.innocents;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What one instance decided; times are epoch nanoseconds.
 *
 * @param loopNanos mean time from a report to its answer
 */
record RealLog(List<Entry> entries, double loopNanos) {

  /**
   * One request.
   *
   * @param of number of its case
   */
  record Entry(
      int of, int user, long askedNanos, long decidedNanos, boolean admitted, long windowStart) {}

  void write(DataOutput to) throws IOException {
    to.writeDouble(loopNanos);
    to.writeInt(entries.size());
    for (Entry entry : entries) {
      to.writeInt(entry.of);
      to.writeInt(entry.user);
      to.writeLong(entry.askedNanos);
      to.writeLong(entry.decidedNanos);
      to.writeBoolean(entry.admitted);
      to.writeLong(entry.windowStart);
    }
  }

  static RealLog read(DataInput from) throws IOException {
    double loopNanos = from.readDouble();
    int size = from.readInt();
    List<Entry> entries = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      entries.add(
          new Entry(
              from.readInt(),
              from.readInt(),
              from.readLong(),
              from.readLong(),
              from.readBoolean(),
              from.readLong()));
    }
    return new RealLog(entries, loopNanos);
  }
}
