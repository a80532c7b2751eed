package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.Mutant.Patch;
import io.quotaenforcer.simulation.MutantProbe.Aim;

/**
 * A deliberate break of what keeps slots from being given twice, or from being lost, and runs that
 * tell.
 */
enum SlotMutant {
  /** A lease that ends silently is free for others at once, whoever may hold its slots. */
  SLOT_IS_GIVEN_TWICE(
      Aim.SLOTS, "ledger/SlotAccount", "+ maxHoldNanos) {", "+ 0 * maxHoldNanos) {"),
  /** A slot that comes back to an instance counts as free for all. */
  SLOT_THAT_CAME_BACK_IS_FREE_FOR_ALL(
      Aim.SLOTS,
      "ledger/LedgerCell",
      "Math.max(0, granted() - (usage.taken() - usage.putBack()))",
      "Math.max(0, granted() - usage.taken())"),
  /** By a successor's clock that is ahead, slots of a silent holder come free too early. */
  SILENT_HOLDER_IS_FREE_BY_ANOTHER_CLOCK(
      Aim.SLOT_TAKEOVERS,
      "ledger/Takeover",
      "return cell.withValidUntil(cell.isWrittenOff() ? last : Math.max(last, until));",
      "return cell;"),
  /** What a predecessor may have granted is free for a successor. */
  SLOT_IS_GIVEN_TWICE_AT_A_TAKEOVER(
      Aim.SLOT_TAKEOVERS,
      "ledger/Takeover",
      "if (headroom.total() > 0) {",
      "if (headroom.total() < 0) {"),
  /** What a predecessor may have granted never comes free. */
  SLOT_IS_LOST_AT_A_TAKEOVER(
      Aim.SLOT_TAKEOVERS,
      "ledger/Takeover",
      "lastLease(limit, window, unrecordedUntil)));",
      "Long.MAX_VALUE / 2));");

  final Aim aim;
  final Patch patch;

  SlotMutant(Aim aim, String type, String from, String to) {
    this.aim = aim;
    this.patch = new Patch(type, from, to);
  }
}
