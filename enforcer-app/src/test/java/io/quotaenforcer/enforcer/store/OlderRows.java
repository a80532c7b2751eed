package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.WindowCount;
import java.nio.ByteBuffer;
import java.util.List;

/** Rows as earlier versions wrote them. */
public final class OlderRows {
  private OlderRows() {}

  /** Version 6 had one count, or none, where there is a number of counts now. */
  public static byte[] ledger(KeyLedger ledger, WindowCount count) {
    byte[] row = KeyLedgerCodec.write(ledger, List.of(count), WrittenLedger.NONE);
    row[0] = 6;
    row[afterTime(row)] = 1;
    return row;
  }

  /** The number of counts is a byte. */
  private static int afterTime(byte[] row) {
    int tag = row[1] & 0xff;
    return tag >= RowOutput.SMALL ? 2 : 2 + (tag & 0xf);
  }

  /** A row of one window. */
  public static byte[] count(long used, long throttled) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(used).putLong(throttled).array();
  }
}
