package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.explore.FaultKind;
import java.util.List;

/** A deliberate break of the ledger, and a fault that brings it to light. */
enum Mutant {
  OUTSTANDING_IS_NOT_SUBTRACTED(
      FaultKind.LOSS, 0, new Patch("ledger/Holder", "    return sum;", "    return 0;")),
  EPOCHS_ARE_REUSED(
      FaultKind.CRASH,
      1,
      new Patch(
          "ledger/Holder",
          "return epoch == otherEpoch && generation == otherGeneration",
          "return generation == otherGeneration")),
  EXPIRED_IS_UNSPENT(
      FaultKind.EXPIRY,
      1,
      new Patch(
          "ledger/WorkingLedger",
          "    if (limit.permitsBelongToWindow()) {\n      return;\n    }\n",
          ""),
      new Patch(
          "ledger/WorkingLedger",
          "    state = limit.book(state, cell.outstanding(), stateTime(cell.validUntilNanos()));\n"
              + "    return cell.withWrittenOff(cell.outstanding());",
          "    return cell.withWrittenOff(0);"),
      new Patch(
          "ledger/Holder",
          "? cell.usage().windowStartNanos() == window",
          "? cell.usage().windowStartNanos() == window && !cell.isWrittenOff()")),
  REPORTS_ARE_DELTAS(
      FaultKind.DUPLICATE,
      1,
      new Patch(
          "ledger/LedgerCell",
          "Math.max(known.taken(), reported.taken())",
          "known.taken() + reported.taken()"),
      new Patch(
          "ledger/LedgerCell",
          "Math.max(known.givenBack(), reported.givenBack())",
          "known.givenBack() + reported.givenBack()")),
  GRANTS_NEED_NO_COMMITTED_CEILING(
      FaultKind.FAILOVER,
      1,
      new Patch(
          "ledger/Granting",
          "Math.min(permits, headroom.usable(ledger.tenure.commit()))",
          "permits"),
      new Patch(
          "ledger/Granting", "headroom.raise(target - headroom.total(), commit)", "headroom")),
  /** Permits are set aside as ever, and nearly always suffice: few seeds see the difference. */
  GRANTS_PASS_THE_COMMITTED_CEILING(
      FaultKind.FAILOVER,
      1,
      new Patch(
          "ledger/Granting",
          "Math.min(permits, headroom.usable(ledger.tenure.commit()))",
          "permits"));

  final FaultKind fault;
  final int faults;
  final List<Patch> patches;

  /**
   * Text of a class that is replaced by another.
   *
   * @param type below the package of the core, without its ending
   */
  record Patch(String type, String from, String to) {}

  Mutant(FaultKind fault, int faults, Patch... patches) {
    this.fault = fault;
    this.faults = faults;
    this.patches = List.of(patches);
  }

  /** Whether it takes too many seeds to wait for. */
  boolean isRare() {
    return this == GRANTS_PASS_THE_COMMITTED_CEILING;
  }
}
