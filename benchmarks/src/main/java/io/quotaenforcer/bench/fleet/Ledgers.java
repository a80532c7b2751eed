package io.quotaenforcer.bench.fleet;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ledgers of a simulated enforcer, by quota key; it also sees what goes in and out. */
public interface Ledgers {
  @Nullable KeyLedger get(QuotaKey key);

  void put(QuotaKey key, KeyLedger ledger);

  /** A report has arrived; as the enforcer reads it. */
  default UsageReport received(UsageReport report) {
    return report;
  }

  /** An answer leaves. */
  default void answers(QuotaSnapshot snapshot) {}

  /** A quota is announced as exhausted. */
  default void announces(QuotaKey key, ExhaustedQuota quota) {}

  /** Kept as they are. */
  static Ledgers inMemory() {
    Map<QuotaKey, KeyLedger> ledgers = new HashMap<>();
    return new Ledgers() {
      @Override
      public @Nullable KeyLedger get(QuotaKey key) {
        return ledgers.get(key);
      }

      @Override
      public void put(QuotaKey key, KeyLedger ledger) {
        ledgers.put(key, ledger);
      }
    };
  }
}
