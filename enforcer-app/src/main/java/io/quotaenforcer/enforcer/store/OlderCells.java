package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.ledger.Booking;
import io.quotaenforcer.core.ledger.Grant;
import io.quotaenforcer.core.ledger.LedgerCell;
import io.quotaenforcer.core.ledger.LedgerShare;
import io.quotaenforcer.core.message.CellCounts;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.EarlierUse;

/** Cells in ledger rows of older enforcers: all fields of each. */
final class OlderCells {
  /** The newest version that knew no rate shares. */
  private static final int WITHOUT_SHARES = 3;

  private OlderCells() {}

  static LedgerCell read(RowInput in) {
    CellUsage counts =
        new CellUsage(
            in.readLong(),
            in.readLong(),
            new CellCounts(
                in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong()),
            in.readBoolean(),
            EarlierUse.NONE,
            0);
    boolean shares = in.version() > WITHOUT_SHARES && in.readBoolean();
    CellUsage usage = shares ? counts.ofShare(in.readLong()) : counts;
    LedgerShare share = shares ? HolderCodec.readShare(in) : LedgerShare.NONE;
    return new LedgerCell(
        usage,
        new Grant(in.readLong(), in.readLong()),
        new Booking(in.readLong(), in.readLong()),
        in.readLong(),
        0,
        share);
  }
}
