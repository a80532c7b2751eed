package io.quotaenforcer.bench.sparse;

import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one scenario came to.
 *
 * @param overPct permits over the limit, of all that was admitted within it
 * @param overPerAbusivePct permits over the limit of an abusive user per period, of the limit
 * @param worstOver most permits over the limit of one user in one period
 * @param throttledPct requests throttled
 * @param throttledWithRoomPct requests throttled although the quota had room
 * @param throttledUnseenPct of these, at an instance that did not use the key for 2 s
 * @param turnedAwayPct requests throttled that an exact central counter admits, of all that it
 *     admits
 * @param keyBytes bytes of a quota key's ledger row at the end, on average
 * @param mostKeyBytes the largest
 * @param keyHolders epochs that a row remembers, on average
 */
record SparseResult(
    SparseScenario scenario,
    long requests,
    double overPct,
    double overPerAbusivePct,
    long worstOver,
    double throttledPct,
    double throttledWithRoomPct,
    double throttledUnseenPct,
    double turnedAwayPct,
    SparseEnforcer traffic,
    double keyBytes,
    long mostKeyBytes,
    double keyHolders) {

  static SparseResult of(
      SparseScenario scenario, int seconds, int abusive, Judge judge, SparseEnforcer enforcer) {
    long bytes = 0;
    long most = 0;
    long holders = 0;
    for (byte[] row : enforcer.rows().values()) {
      KeyLedger ledger = KeyLedgerCodec.read(row);
      bytes += row.length;
      most = Math.max(most, row.length);
      holders += ledger.holders().size();
    }
    double keys = Math.max(1, enforcer.rows().size());
    double periods = seconds * 1e9 / scenario.limit().periodNanos();
    double limitOfAbusive = abusive * periods * scenario.limit().permits();
    return new SparseResult(
        scenario,
        judge.requests,
        percent(judge.over, judge.admitted - judge.over),
        percent(judge.overOfAbusive, limitOfAbusive),
        judge.worstOver,
        percent(judge.requests - judge.admitted, judge.requests),
        percent(judge.throttledWithRoom, judge.requests),
        percent(judge.throttledUnseen, judge.requests),
        judge.turnedAway().percent(),
        enforcer,
        bytes / keys,
        most,
        holders / keys);
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("scenario", scenario.name());
    json.put("requests", requests);
    json.put("overPct", Traffic.rounded(overPct));
    json.put("overPerAbusiveUserPct", Traffic.rounded(overPerAbusivePct));
    json.put("worstOverPermits", worstOver);
    json.put("throttledPct", Traffic.rounded(throttledPct));
    json.put("throttledWithRoomPct", Traffic.rounded(throttledWithRoomPct));
    json.put("throttledUnseenPct", Traffic.rounded(throttledUnseenPct));
    json.put("turnedAwayPct", Traffic.rounded(turnedAwayPct));
    json.put("reports", traffic.reports.toJson(requests));
    json.put("snapshots", traffic.snapshots.toJson(requests));
    json.put("exhausted", traffic.exhausted.toJson(requests));
    json.put("ledgerRowsWritten", traffic.written.toJson(requests));
    json.put("ledgerBytesPerKey", Traffic.rounded(keyBytes));
    json.put("mostLedgerBytesOfAKey", mostKeyBytes);
    json.put("holdersPerKey", Traffic.rounded(keyHolders));
    return json;
  }

  private static double percent(double part, double whole) {
    return whole <= 0 ? 0 : part * 100 / whole;
  }
}
