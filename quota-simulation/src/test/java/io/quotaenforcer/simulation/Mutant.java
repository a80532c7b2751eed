package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.explore.FaultKind;
import io.quotaenforcer.simulation.explore.Scope.Algorithm;
import java.util.List;

/** A deliberate break of the ledger, and a fault that brings it to light. */
enum Mutant {
  OUTSTANDING_IS_NOT_SUBTRACTED(
      FaultKind.LOSS,
      0,
      new Patch("ledger/Holder", "? cells.outstandingOf(window)", "? 0"),
      new Patch("ledger/Holder", ": cells.outstandingInLeases()", ": 0")),
  EPOCHS_ARE_REUSED(
      FaultKind.CRASH,
      1,
      new Patch(
          "ledger/Holder",
          "return epoch() == otherEpoch && generation() == otherGeneration",
          "return generation() == otherGeneration")),
  EXPIRED_IS_UNSPENT(
      FaultKind.EXPIRY,
      1,
      new Patch(
          "ledger/WindowAccount",
          "    return holder;\n",
          "    return holder.withCells(\n"
              + "        holder.cells().stream()\n"
              + "            .map(c -> c.isGranted() && !c.isWrittenOff()"
              + " && c.validUntilNanos() < now ? c.withWrittenOff(0) : c)\n"
              + "            .toList());\n"),
      new Patch(
          "ledger/RenewalAccount",
          "    spendWhatIsLeft(cell);\n" + "    return cell.withWrittenOff(cell.outstanding());",
          "    return cell.withWrittenOff(0);"),
      new Patch(
          "ledger/HolderCells",
          "long outstanding = cell.outstanding();",
          "long outstanding = cell.isWrittenOff() ? 0 : cell.outstanding();")),
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
          "permits")),
  /** Permits that one holder may still be using are given to another. No small world shows it. */
  SHARES_ARE_GIVEN_AGAIN_BEFORE_THEY_END(
      FaultKind.LOSS,
      0,
      List.of(),
      new Patch(
          "ledger/LedgerShare", "Math.max(held.permits(), offered.permits())", "offered.permits()"),
      new Patch(
          "ledger/LedgerShare",
          "Math.max(held.burstMillis() + onItsWay, offered.burstMillis())",
          "offered.burstMillis()")),
  /** A successor knows nothing of shares that its predecessor sent, but soon divides alike. */
  SHARES_END_AT_A_TAKEOVER(
      FaultKind.FAILOVER,
      1,
      Algorithm.TIGHT_BUCKET,
      new Patch(
          "ledger/Takeover",
          "renewed(limit, holder, cell, 0).withShare(share)",
          "renewed(limit, holder, cell, 0).withShare(LedgerShare.NONE)")),
  /** The ledger's own part of the bucket goes on at the whole rate. */
  SHARES_ARE_NOT_TAKEN_OUT_OF_THE_BUCKET(
      FaultKind.LOSS,
      0,
      Algorithm.TIGHT_BUCKET,
      new Patch(
          "ledger/Account",
          "limit.lend(state, lent.permits(), lent.millis(), stateTime(now))",
          "limit.lend(state, 0, 0, stateTime(now))"));

  final FaultKind fault;
  final int faults;
  final List<Algorithm> explored;
  final List<Patch> patches;

  /**
   * Text of a class that is replaced by another.
   *
   * @param type below the package of the core, without its ending
   */
  record Patch(String type, String from, String to) {}

  Mutant(FaultKind fault, int faults, Patch... patches) {
    this(fault, faults, List.of(Algorithm.FIXED_WINDOW, Algorithm.TOKEN_BUCKET), patches);
  }

  /** A break that only one algorithm comes across. */
  Mutant(FaultKind fault, int faults, Algorithm explored, Patch... patches) {
    this(fault, faults, List.of(explored), patches);
  }

  Mutant(FaultKind fault, int faults, List<Algorithm> explored, Patch... patches) {
    this.explored = explored;
    this.fault = fault;
    this.faults = faults;
    this.patches = List.of(patches);
  }

  /** Limits of the simulation that show it. */
  List<String> limits() {
    return explored.contains(Algorithm.FIXED_WINDOW)
        ? List.of("FixedWindow", "TokenBucket")
        : List.of("TokenBucket");
  }

  /** Whether it takes too many seeds to wait for. */
  boolean isRare() {
    return this == GRANTS_PASS_THE_COMMITTED_CEILING || this == SHARES_END_AT_A_TAKEOVER;
  }
}
