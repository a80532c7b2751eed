package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.Mutant.Patch;
import java.util.List;

/** A deliberate break of what keeps permits at rest within the limit, or within half of it. */
enum RestingMutant {
  /** Holders that crash keep all of the limit from others. */
  ALL_MAY_REST(new Patch("ledger/RestingShares", "long PART = 2;", "long PART = 1;")),
  /** A share that rested grows like any other, and stays good for long. */
  WHAT_RESTED_GROWS_WITHOUT_BOUND(
      new Patch("ledger/RestingShares", "if (!isLong(ledger, mine)) {", "if (ledger.now > 0) {")),
  /** Tokens are put into the small share of a bucket, and stay in the bucket. */
  TOKENS_ARE_PUT_IN_WITHOUT_BEING_SPENT(
      new Patch(
          "ledger/Sharing",
          "ledger.account.spend(tokens, ledger.stateTime(ledger.now));",
          "if (tokens < 0) ledger.account.spend(tokens, ledger.stateTime(ledger.now));")),
  /** A successor gives what rests to others. */
  REST_IS_FORGOTTEN_AT_A_TAKEOVER(
      new Patch(
          "ledger/Takeover",
          "return cell.isShareInUse() ? known.withValidUntil(until) : known;",
          "return known.withValidUntil(0);")),
  /** A holder rests for a term that no successor knows of. */
  TERM_OF_REST_IS_SENT_BEFORE_ITS_COMMIT(
      new Patch(
          "ledger/ShareTerm",
          "return commit < newCommit ? endNanos : sentNanos;",
          "return endNanos;")),
  /** Silent holders of the generation before go on. */
  NEW_GENERATION_DOES_NOT_WAIT_FOR_WHAT_RESTS(
      new Patch(
          "ledger/WorkingLedger",
          "if (cell.isShareInUse() && cell.validUntilNanos() >= now) {",
          "if (cell.validUntilNanos() == Long.MIN_VALUE) {"));

  final List<Patch> patches;

  RestingMutant(Patch... patches) {
    this.patches = List.of(patches);
  }
}
