package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.Mutant.Patch;
import io.quotaenforcer.simulation.MutantProbe.Aim;

/** A deliberate break of what keeps leases, times and windows apart, and runs that tell. */
enum TakeoverMutant {
  ANSWERS_WITHOUT_A_COMMITTED_TIME(
      Aim.TAKEOVERS,
      "ledger/PartitionTime",
      "return newestNanos <= committedAheadNanos;",
      "return true;"),
  TIME_COUNTS_BEFORE_ITS_COMMIT(
      Aim.TAKEOVERS, "ledger/PartitionTime", "pendingCommit < commit", "pendingCommit <= commit"),
  SUCCESSOR_BEGINS_WITH_ITS_OWN_TIME(
      Aim.TAKEOVERS,
      "ledger/PartitionTime",
      "before.map(kept -> kept.aheadNanos() + 1).orElse(Long.MIN_VALUE)",
      "Long.MIN_VALUE"),
  LEASE_RUNS_FROM_ARRIVAL(
      Aim.TAKEOVERS, "allotment/Lease", "long until = echoNanos + (", "long until = now + ("),
  CLOCK_IS_NOT_SET_BACK(
      Aim.TAKEOVERS,
      "ledger/StateClock",
      "return new StateClock(lagNanos + nanos, at(newestEnforcerNanos));",
      "return this;"),
  LEASES_ARE_NOT_RENEWED_AT_A_CRASH(
      Aim.TAKEOVERS,
      "ledger/Takeover",
      "cell.usage().windowStartNanos(), unrecordedUntil",
      "cell.usage().windowStartNanos(), cell.validUntilNanos()"),
  UNRECORDED_ENDS_BEFORE_ITS_LEASES(
      Aim.CHAOS,
      "ledger/PartitionTime",
      "kept.aheadNanos() + settings.allotmentTtlNanos() + settings",
      "kept.aheadNanos() + settings"),
  HAND_OVER_WITHOUT_SKEW(
      Aim.TAKEOVERS,
      "ledger/Takeover",
      "cell.validUntilNanos() + maxClockSkewNanos)",
      "cell.validUntilNanos())"),
  /** Facts about a predecessor's clock date use by the successor's. */
  USE_IS_DATED_BY_A_CLOCK_BEFORE_THE_TAKEOVER(
      Aim.BORDERS,
      "ledger/Takeover",
      "lastLease(limit, cell.usage().windowStartNanos(), unrecordedUntil)));\n"
          + "      holders.add(holder.withCells(cells).withClockBound(ClockBound.NONE));",
      "lastLease(limit, cell.usage().windowStartNanos(), unrecordedUntil)));\n"
          + "      holders.add(holder.withCells(cells));"),
  USE_IS_DATED_BY_A_CLOCK_BEFORE_THE_HAND_OVER(
      Aim.BORDERS,
      "ledger/Takeover",
      "cell.validUntilNanos() + maxClockSkewNanos)));\n"
          + "      holders.add(holder.withCells(cells).withClockBound(ClockBound.NONE));",
      "cell.validUntilNanos() + maxClockSkewNanos)));\n"
          + "      holders.add(holder.withCells(cells));"),
  SPENT_PERMITS_ARE_FREED_BY_A_SUCCESSOR(
      Aim.TAKEOVERS,
      "ledger/WorkingLedger",
      "Math.max(0, Math.min(permits, source.writtenOff()))",
      "permits"),
  NEXT_GENERATION_IS_GRANTED_AT_ONCE(
      Aim.GENERATIONS, "ledger/Ledger", "new KeyTimes(now, from, 0,", "new KeyTimes(now, 0, 0,"),
  /** A turn that is handed over vouches for turns before it. */
  CRASH_BEFORE_A_HAND_OVER_IS_FORGOTTEN(
      Aim.TAKEOVERS,
      "ledger/PartitionTime",
      "kept.handedOver() ? kept.recordedSince() : tenure",
      "kept.handedOver() ? 0 : tenure"),
  HAND_OVER_FORGETS_LEASES_OF_A_CRASH(
      Aim.TAKEOVERS,
      "ledger/PartitionTime",
      "? kept.predecessorsUntilNanos()\n",
      "? kept.aheadNanos()\n"),
  HAND_OVER_KEEPS_NO_LEASES_OF_A_CRASH(
      Aim.TAKEOVERS,
      "ledger/PartitionTime",
      "new Kept(newestNanos, tenure, predecessorsUntilNanos, recordedSince, true)",
      "new Kept(newestNanos, tenure, 0, recordedSince, true)"),
  WINDOW_IS_NOT_ENDED_BY_THE_CLIENT(
      Aim.WINDOWS,
      "allotment/Lease",
      "new Lease(from, Math.min(until, windowEnd))",
      "new Lease(from, until)"),
  NEXT_WINDOW_IS_USED_AT_ONCE(
      Aim.WINDOWS, "allotment/Lease", "? link.toLocal(grant.validFromNanos())", "? Long.MIN_VALUE");

  final Aim aim;
  final Patch patch;

  TakeoverMutant(Aim aim, String type, String from, String to) {
    this.aim = aim;
    this.patch = new Patch(type, from, to);
  }
}
