package io.quotaenforcer.enforcer.store;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;

/** The kinds of rows in the ledger store: the first byte of a row's key. */
public enum RowKind {
  /** The newest enforcer time of the partition; one row. */
  TIME,
  /** Text of a quota key → its ledger. */
  LEDGER,
  /** Quota key and window → counts of some windows up to it: {@link CountsRow}. */
  COUNT,
  /**
   * Time to look at another row, and that row's key: tidying up costs work only for rows that are
   * due.
   */
  DUE;

  /** A row's key in the store. */
  public Bytes key(byte[] rest) {
    return Bytes.wrap(ByteBuffer.allocate(1 + rest.length).put((byte) ordinal()).put(rest).array());
  }

  public boolean is(Bytes key) {
    return key.get()[0] == ordinal();
  }

  /** The first key after those of this kind. */
  public Bytes end() {
    return Bytes.wrap(new byte[] {(byte) (ordinal() + 1)});
  }
}
