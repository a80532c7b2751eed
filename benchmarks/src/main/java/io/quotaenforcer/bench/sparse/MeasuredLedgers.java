package io.quotaenforcer.bench.sparse;

import io.quotaenforcer.bench.fleet.Ledgers;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ledgers as rows of bytes, as an enforcer keeps them: read, changed and written again by every
 * report. Weighs what is written and sent.
 */
final class MeasuredLedgers implements Ledgers {
  private final Wire wire =
      Wire.of(
          Topics.under(Topics.DEFAULT_PREFIX, SparseScenario.PARTITIONS, Codecs.withoutRegistry()));
  private final Map<QuotaKey, byte[]> rows = new HashMap<>();
  final Traffic reports = new Traffic();
  final Traffic snapshots = new Traffic();
  final Traffic exhausted = new Traffic();

  /** Ledger rows, which go to the store's changelog too. */
  final Traffic written = new Traffic();

  Map<QuotaKey, byte[]> rows() {
    return rows;
  }

  void clearTraffic() {
    reports.clear();
    snapshots.clear();
    exhausted.clear();
    written.clear();
  }

  @Override
  public @Nullable KeyLedger get(QuotaKey key) {
    byte[] row = rows.get(key);
    return row == null ? null : KeyLedgerCodec.read(row);
  }

  @Override
  public void put(QuotaKey key, KeyLedger ledger) {
    byte[] row = KeyLedgerCodec.write(ledger);
    rows.put(key, row);
    written.add(row.length, 1);
  }

  @Override
  public UsageReport received(UsageReport report) {
    byte[] record = wire.encode(report);
    reports.add(record.length, report.quotas().size());
    return wire.decodeReport(record);
  }

  @Override
  public void answers(QuotaSnapshot snapshot) {
    int key = Identity.snapshotKey(snapshot.instance(), snapshot.epoch()).length;
    snapshots.add(key + wire.encode(snapshot).length, snapshot.quotas().size());
  }

  @Override
  public void announces(QuotaKey key, ExhaustedQuota quota) {
    int size = key.toString().getBytes(StandardCharsets.UTF_8).length + wire.encode(quota).length;
    exhausted.add(size, 1);
  }
}
