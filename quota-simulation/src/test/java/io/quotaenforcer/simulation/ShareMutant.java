package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.Mutant.Patch;
import java.util.List;

/** A deliberate break of what keeps shares of a limit from being more than the limit. */
enum ShareMutant {
  /** A share gets what it asks for, although others have it. */
  GROWTH_NEED_NOT_BE_AVAILABLE(
      new Patch(
          "ledger/Sharing",
          "ShareSize.of(Math.min(size.permits(), held.permits() + free))",
          "ShareSize.of(size.permits())")),
  /** The new terms count at once, although their holder may not have heard of them. */
  CUT_COUNTS_BEFORE_ITS_HOLDER_KNOWS(
      new Patch(
          "ledger/LedgerShare",
          "Math.max(held.permits(), offered.permits())",
          "offered.permits()")),
  /** Permits used before the cut count for nobody. */
  CUT_LEAVES_NO_USE_BEHIND(
      new Patch("ledger/WindowShares", "if (charge > 0) {", "if (charge > Long.MAX_VALUE / 2) {")),
  /** Permits of the last window that a share which ended may have used are given to others. */
  END_LEAVES_NO_USE_BEHIND(
      new Patch(
          "ledger/WindowAccount",
          "    spend(permits, window);\n    return share",
          "    return share")),
  /** Permits that a share of a sliding kind had used before it was cut count for nobody. */
  CUT_OF_A_SLIDING_SHARE_LEAVES_NO_USE_BEHIND(
      new Patch(
          "ledger/RenewalAccount",
          "leaveBehind(isSaid ? Math.min(named, had) : had, has, stateTime(now));",
          "leaveBehind(0, has, stateTime(now));")),
  /** Nobody knows what a share used whose holder is not heard of any more: all of it. */
  LOST_SHARE_OF_A_SLIDING_KIND_COUNTS_AS_UNUSED(
      new Patch(
          "ledger/RenewalAccount",
          "leaveBehind(cell.share().permits(), 0, end);",
          "leaveBehind(0, 0, end);")),
  /** Tokens are with the holder and with the ledger. */
  TOKENS_GO_ALONG_AND_STAY(
      new Patch(
          "ledger/Sharing",
          "long tokens = before - ledger.account.tokens() - broken;",
          "long tokens = before - broken;")),
  /** A holder whose clock lags makes permits of a window that the ledger has left. */
  SHARE_BEGINS_IN_A_WINDOW_THAT_OTHERS_HAD(
      new Patch("allotment/HeldShare", "window < firstWindow ||", "")),
  GROWTH_IS_FOR_A_WINDOW_THAT_OTHERS_HAD(
      new Patch("allotment/HeldShare", "window >= key.limit().windowStart(enforcerNanos)", "true")),
  /** Terms reach a holder that a successor knows nothing of. */
  TERMS_ARE_SENT_BEFORE_THEIR_COMMIT(
      new Patch(
          "ledger/LedgerShare",
          "return offeredCommit < commit ? offered : held;",
          "return offered;"),
      new Patch(
          "ledger/ShareTerm",
          "return commit < newCommit ? endNanos : sentNanos;",
          "return endNanos;")),
  END_IS_SENT_BEFORE_ITS_COMMIT(
      new Patch(
          "ledger/ShareTerm",
          "return commit < newCommit ? endNanos : sentNanos;",
          "return endNanos;")),
  SHARES_END_AT_A_TAKEOVER(
      new Patch(
          "ledger/Takeover",
          "return cell.isShareInUse() ? known.withValidUntil(until) : known;",
          "return known.withValidUntil(0);")),
  END_OF_A_PREDECESSOR_IS_BY_THE_SUCCESSORS_CLOCK(
      new Patch(
          "ledger/Takeover",
          "share.term().endNanos() + maxClockSkewNanos",
          "share.term().endNanos()"));

  final List<Patch> patches;

  ShareMutant(Patch... patches) {
    this.patches = List.of(patches);
  }
}
