package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.Mutant.Patch;
import java.util.List;

/** A deliberate break of the order in which classes of requests are served. */
enum ClassMutant {
  /** The last one is given what it needs before the first. */
  CLASSES_ARE_SERVED_OUT_OF_ORDER(
      new Patch(
          "ledger/Needs",
          "    for (ClassNeeds needs : classes) {\n      long room",
          "    List<ClassNeeds> reversed = new ArrayList<>(classes);\n"
              + "    java.util.Collections.reverse(reversed);\n"
              + "    for (ClassNeeds needs : reversed) {\n"
              + "      long room")),
  /** The second one may use up a window that the first still needs. */
  NOTHING_IS_KEPT_FOR_LATER(
      new Patch("ledger/ClassKeeping", "forOthers += forClass(", "forOthers += 0 * forClass("));

  final List<Patch> patches;

  ClassMutant(Patch... patches) {
    this.patches = List.of(patches);
  }
}
