package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Ledgers that were lately read or written, so that a busy key's row is not decoded for each
 * report. The store stays the truth: a ledger is used only where the store holds the very bytes
 * that it stands for.
 */
final class ReadLedgers {
  /** At some hundred bytes each, a few MB. */
  private static final int MOST = 4_096;

  private final Map<QuotaKey, Row> rows =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<QuotaKey, Row> eldest) {
          return size() > MOST;
        }
      };

  private record Row(byte[] value, KeyLedger ledger) {}

  /** The ledger that a row's value stands for. */
  KeyLedger ledger(QuotaKey key, byte[] value) {
    Row known = rows.get(key);
    return known != null && Arrays.equals(known.value, value)
        ? known.ledger
        : KeyLedgerCodec.read(value);
  }

  void remember(QuotaKey key, byte[] value, KeyLedger ledger) {
    rows.put(key, new Row(value, ledger));
  }
}
