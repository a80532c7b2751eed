package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.Mutant.Patch;
import java.util.List;

/** A deliberate break of how keys borrow from a pool. */
enum ElasticMutant {
  /** Whoever borrows competes with those who are within their limit. */
  BORROWERS_ARE_SERVED_LIKE_OTHERS(
      new Patch(
          "allotment/Borrowing",
          "keys.borrow(index, taken.allotment(), pool);",
          "keys.set(index, taken.allotment());")),
  /** A request that the pool has no room for leaves what it took behind. */
  WHAT_WAS_BORROWED_IN_VAIN_IS_NOT_GIVEN_BACK(
      new Patch(
          "allotment/Charging",
          "      if (cell != null) {\n        keys.get(i).putBack(",
          "      if (cell != null && !keys.get(i).quotaKey().rule().id().endsWith(\".borrowed\")) {\n"
              + "        keys.get(i).putBack(")),
  /** A key may borrow its whole limit again. */
  BORROWED_COMES_ON_TOP(
      new Patch("rule/Rule", "        allowance.beyond(by),", "        allowance,"));

  final List<Patch> patches;

  ElasticMutant(Patch... patches) {
    this.patches = List.of(patches);
  }
}
