package io.quotaenforcer.bench.sparse;

import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;

/**
 * The result of one scenario.
 *
 * @param overPct permits over the limit, of all that was admitted within it
 * @param overPerAbusiveUserPct permits over the limit of an abusive user per period, of the limit
 * @param worstOverPermits most permits over the limit of one user in one period
 * @param throttledPct requests throttled
 * @param throttledWithRoomPct requests throttled although the quota had room
 * @param throttledUnseenPct of these, at an instance that did not use the key for 2 s
 * @param turnedAwayPct requests throttled that an exact central counter admits, of all that it
 *     admits
 * @param atOncePct of requests that may wait and were admitted, those that did not
 * @param waitP50Millis wait of those that were admitted
 * @param ledgerBytesPerKey bytes of a quota key's ledger row at the end, on average
 * @param mostLedgerBytesOfAKey the largest
 * @param holdersPerKey epochs that a row remembers, on average
 */
record SparseResult(
    SparseScenario scenario,
    long requests,
    double overPct,
    double overPerAbusiveUserPct,
    long worstOverPermits,
    double throttledPct,
    double throttledWithRoomPct,
    double throttledUnseenPct,
    double turnedAwayPct,
    double atOncePct,
    double waitP50Millis,
    double waitP99Millis,
    Traffic.PerRequest reports,
    Traffic.PerRequest snapshots,
    Traffic.PerRequest exhausted,
    Traffic.PerRequest ledgerRowsWritten,
    double ledgerBytesPerKey,
    long mostLedgerBytesOfAKey,
    double holdersPerKey) {

  static SparseResult of(
      SparseScenario scenario, int seconds, int abusive, Judge judge, MeasuredLedgers ledgers) {
    long bytes = 0;
    long most = 0;
    long holders = 0;
    for (byte[] row : ledgers.rows().values()) {
      KeyLedger ledger = KeyLedgerCodec.read(row);
      bytes += row.length;
      most = Math.max(most, row.length);
      holders += ledger.holders().size();
    }
    double keys = Math.max(1, ledgers.rows().size());
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
        judge.atOncePct(),
        judge.waitMillis(50),
        judge.waitMillis(99),
        ledgers.reports.per(judge.requests),
        ledgers.snapshots.per(judge.requests),
        ledgers.exhausted.per(judge.requests),
        ledgers.written.per(judge.requests),
        bytes / keys,
        most,
        holders / keys);
  }

  private static double percent(double part, double whole) {
    return whole <= 0 ? 0 : part * 100 / whole;
  }
}
