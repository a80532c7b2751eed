package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.deferral.KeyQueue;
import io.quotaenforcer.core.deferral.Lane;
import io.quotaenforcer.core.deferral.LaneState;
import io.quotaenforcer.core.deferral.PriorityTurn;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import java.util.ArrayList;
import java.util.List;

/** The queue of one quota key, without its requests, as a row. */
public final class KeyQueueRow {
  private static final int VERSION = 1;
  private static final int LIKELY_LENGTH = 512;

  private KeyQueueRow() {}

  public static byte[] write(KeyQueue queue) {
    RowOutput row = new RowOutput(VERSION, queue.lane(Lane.NORMAL).next(), LIKELY_LENGTH);
    for (LaneState lane : queue.lanes()) {
      row.writeLong(lane.first());
      row.writeLong(lane.next());
      row.writeLong(lane.waiting());
      row.writeLong(lane.sinceMillis());
    }
    row.writeLong(queue.bytes());
    row.writeInt(queue.unacknowledged());
    row.writeInt(queue.turn().high());
    row.writeInt(queue.turn().normal());
    row.writeInt(queue.turn().low());
    row.writeLong(queue.nextReleaseNanos());
    row.writeLong(queue.dueNanos());
    row.writeByte(queue.onDelete().ordinal());
    return row.toByteArray();
  }

  public static KeyQueue read(byte[] bytes) {
    RowInput row = new RowInput(bytes);
    if (row.version() != VERSION) {
      throw new IllegalArgumentException(
          "must be version " + VERSION + " of a queue's row: version=" + row.version());
    }
    row.readTime();
    List<LaneState> lanes = new ArrayList<>();
    for (int i = 0; i < Lane.values().length; i++) {
      lanes.add(new LaneState(row.readLong(), row.readLong(), row.readLong(), row.readLong()));
    }
    return new KeyQueue(
        lanes,
        row.readLong(),
        row.readInt(),
        new PriorityTurn(row.readInt(), row.readInt(), row.readInt()),
        row.readLong(),
        row.readLong(),
        OnDelete.values()[row.readByte()]);
  }
}
