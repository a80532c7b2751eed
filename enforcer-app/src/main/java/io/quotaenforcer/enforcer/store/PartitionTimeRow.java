package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.ledger.PartitionTime;
import java.nio.ByteBuffer;

/** A partition's time as bytes: the fields in the order of the record. */
public final class PartitionTimeRow {
  private static final int BYTES = 5 * Long.BYTES + 1;

  private PartitionTimeRow() {}

  public static byte[] write(PartitionTime.Kept kept) {
    return ByteBuffer.allocate(BYTES)
        .putLong(kept.aheadNanos())
        .putLong(kept.tenure())
        .putLong(kept.predecessorsUntilNanos())
        .putLong(kept.recordedSince())
        .put((byte) (kept.handedOver() ? 1 : 0))
        .putLong(kept.leadNanos())
        .array();
  }

  /**
   * A row without the last field is of an enforcer that was ahead of its clock by no more than is
   * usual; one without the last three of an enforcer that could not hand over. Throws
   * IllegalStateException when there are more: a newer enforcer wrote them.
   */
  public static PartitionTime.Kept read(byte[] row) {
    if (row.length > BYTES) {
      throw new IllegalStateException(
          "a partition's time has %d bytes, this enforcer reads %d; run the enforcer version that wrote the state"
              .formatted(row.length, BYTES));
    }
    ByteBuffer bytes = ByteBuffer.wrap(row);
    long ahead = bytes.getLong();
    long tenure = bytes.getLong();
    long until = bytes.getLong();
    if (!bytes.hasRemaining()) {
      return new PartitionTime.Kept(ahead, tenure, until, tenure, false);
    }
    long recordedSince = bytes.getLong();
    boolean handedOver = bytes.get() == 1;
    long lead = bytes.hasRemaining() ? bytes.getLong() : 0;
    return new PartitionTime.Kept(ahead, tenure, until, recordedSince, handedOver, lead);
  }
}
