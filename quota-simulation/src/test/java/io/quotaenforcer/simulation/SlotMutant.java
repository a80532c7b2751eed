package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.Mutant.Patch;
import java.util.List;

/** A deliberate break of what keeps slots from being given twice. */
enum SlotMutant {
  /** A lease that ends silently is free for others at once, whoever may hold its slots. */
  SLOT_IS_GIVEN_TWICE(
      new Patch("ledger/SlotAccount", "+ maxHoldNanos) {", "+ 0 * maxHoldNanos) {")),
  /** A slot that comes back to an instance counts as free for all. */
  SLOT_THAT_CAME_BACK_IS_FREE_FOR_ALL(
      new Patch(
          "ledger/LedgerCell",
          "Math.max(0, granted() - (usage.taken() - usage.putBack()))",
          "Math.max(0, granted() - usage.taken())"));

  final List<Patch> patches;

  SlotMutant(Patch... patches) {
    this.patches = List.of(patches);
  }
}
