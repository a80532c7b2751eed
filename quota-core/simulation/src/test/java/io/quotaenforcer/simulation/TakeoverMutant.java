package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.Mutant.Patch;
import io.quotaenforcer.simulation.MutantProbe.Aim;

/** A deliberate break of what keeps leases, times and windows apart, and seeds that tell. */
enum TakeoverMutant {
  ANSWERS_WITHOUT_A_COMMITTED_TIME(
      Aim.TAKEOVERS,
      0,
      "ledger/PartitionTime",
      "return newestNanos <= committedAheadNanos;",
      "return true;"),
  TIME_COUNTS_BEFORE_ITS_COMMIT(
      Aim.TAKEOVERS,
      0,
      "ledger/PartitionTime",
      "pendingCommit < commit",
      "pendingCommit <= commit"),
  SUCCESSOR_BEGINS_WITH_ITS_OWN_TIME(
      Aim.TAKEOVERS,
      0,
      "ledger/PartitionTime",
      "before.map(kept -> kept.aheadNanos() + 1).orElse(Long.MIN_VALUE)",
      "Long.MIN_VALUE"),
  LEASE_RUNS_FROM_ARRIVAL(
      Aim.TAKEOVERS, 20, "allotment/Lease", "long until = echoNanos + (", "long until = now + ("),
  CLOCK_IS_NOT_SET_BACK(
      Aim.TAKEOVERS,
      0,
      "ledger/StateClock",
      "return new StateClock(lagNanos + nanos, at(newestEnforcerNanos));",
      "return this;"),
  LEASES_ARE_NOT_RENEWED_AT_A_CRASH(
      Aim.TAKEOVERS,
      0,
      "ledger/Takeover",
      "cell.usage().windowStartNanos(), unrecordedUntil",
      "cell.usage().windowStartNanos(), cell.validUntilNanos()"),
  UNRECORDED_ENDS_BEFORE_ITS_LEASES(
      Aim.CHAOS,
      10,
      "ledger/PartitionTime",
      "kept.aheadNanos() + settings.allotmentTtlNanos() + settings",
      "kept.aheadNanos() + settings"),
  UNRECORDED_ENDS_WITHOUT_SKEW(
      Aim.CHAOS,
      0,
      "ledger/PartitionTime",
      "settings.allotmentTtlNanos() + settings.maxClockSkewNanos()",
      "settings.allotmentTtlNanos()"),
  HAND_OVER_WITHOUT_SKEW(
      Aim.TAKEOVERS,
      0,
      "ledger/Takeover",
      "cell.validUntilNanos() + maxClockSkewNanos)",
      "cell.validUntilNanos())"),
  /** What was known of a predecessor's clock dates use by the successor's. */
  USE_IS_DATED_BY_A_CLOCK_BEFORE_THE_TAKEOVER(
      Aim.TAKEOVERS,
      460,
      "ledger/Takeover",
      "cell, lastLease(limit, cell.usage().windowStartNanos(), unrecordedUntil)));\n"
          + "      holders.add(holder.withCells(cells).withClockBound(ClockBound.NONE));",
      "cell, lastLease(limit, cell.usage().windowStartNanos(), unrecordedUntil)));\n"
          + "      holders.add(holder.withCells(cells));"),
  SPENT_PERMITS_ARE_FREED_BY_A_SUCCESSOR(
      Aim.TAKEOVERS,
      1_420,
      "ledger/WorkingLedger",
      "Math.max(0, Math.min(permits, source.writtenOff()))",
      "permits"),
  NEXT_GENERATION_IS_GRANTED_AT_ONCE(
      Aim.TAKEOVERS,
      80,
      "ledger/Ledger",
      "limit.initial(now),\n        from,",
      "limit.initial(now),\n        0,"),
  WINDOW_IS_NOT_ENDED_BY_THE_CLIENT(
      Aim.WINDOWS,
      0,
      "allotment/Lease",
      "new Lease(from, Math.min(until, windowEnd))",
      "new Lease(from, until)"),
  NEXT_WINDOW_IS_USED_AT_ONCE(
      Aim.WINDOWS,
      0,
      "allotment/Lease",
      "? link.toLocal(grant.validFromNanos())",
      "? Long.MIN_VALUE");

  final Aim aim;

  /** One near a seed that tells. */
  final long firstSeed;

  final Patch patch;

  TakeoverMutant(Aim aim, long firstSeed, String type, String from, String to) {
    this.aim = aim;
    this.firstSeed = firstSeed;
    this.patch = new Patch(type, from, to);
  }
}
