package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.ledger.Counting;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.KeyTimes;
import io.quotaenforcer.core.ledger.Trust;
import io.quotaenforcer.core.ledger.WindowCount;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Rows as earlier versions wrote them. */
public final class OlderRows {
  private OlderRows() {}

  /**
   * Version 6 had one count, or none, where there is a number of counts now, and did not know how
   * far a key can be opened.
   */
  public static byte[] ledger(KeyLedger ledger, WindowCount count) {
    byte[] row = KeyLedgerCodec.write(ledger, List.of(count), WrittenLedger.NONE);
    byte[] other = KeyLedgerCodec.write(distrusted(ledger), List.of(count), WrittenLedger.NONE);
    byte[] older = without(row, Arrays.mismatch(row, other));
    older[0] = 6;
    older[afterTime(older)] = 1;
    return older;
  }

  private static KeyLedger distrusted(KeyLedger ledger) {
    return new KeyLedger(
        new Counting(ledger.generation(), ledger.limit(), ledger.state(), ledger.clock()),
        new KeyTimes(
            ledger.timeNanos(),
            ledger.grantableFromNanos(),
            ledger.exhaustedUntilNanos(),
            ledger.tenure()),
        new Trust(1, 0, 0, 0, 0),
        ledger.headrooms(),
        ledger.holders());
  }

  private static byte[] without(byte[] row, int at) {
    byte[] shorter = Arrays.copyOf(row, row.length - 1);
    System.arraycopy(row, at + 1, shorter, at, shorter.length - at);
    return shorter;
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
