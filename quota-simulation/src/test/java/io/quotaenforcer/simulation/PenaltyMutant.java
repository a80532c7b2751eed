package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.Mutant.Patch;
import java.util.List;

/** A deliberate break of penalties. */
enum PenaltyMutant {
  PENALTY_IS_FORGOTTEN_AT_A_TAKEOVER(
      new Patch(
          "ledger/KeyLedger",
          "        trust,\n        penalty,\n        newHeadrooms,",
          "        trust,\n        PenaltyState.NONE,\n        newHeadrooms,")),
  GRANTS_GO_ON(
      new Patch(
          "ledger/Ledger", "boolean denied = isDenied || penalized;", "boolean denied = isDenied;"),
      new Patch(
          "ledger/Ledger",
          "penalized\n              ? SentGrants.ended(ledger, holder)\n              : SentGrants.of(",
          "SentGrants.of("),
      new Patch(
          "allotment/AskedKey",
          "if (denied || isPenalized(now) || !isPaid(now)) {",
          "if (denied || !isPaid(now)) {")),
  PENALTY_NEVER_ENDS(
      new Patch("ledger/PenaltyState", "return now < untilNanos;", "return untilNanos > 0;"));

  final List<Patch> patches;

  PenaltyMutant(Patch... patches) {
    this.patches = List.of(patches);
  }
}
