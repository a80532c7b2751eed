package io.quotaenforcer.bench.moving.real;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.RuleDecision;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A request that was decided; times since the epoch. It counts at some moment between its two last
 * ones: a thread may stand still between reading its clock and taking a permit.
 *
 * @param of as the {@link Ask} has it
 * @param readNanos when the clock of its decision was read
 * @param takenNanos when the caller had the decision
 */
record Asked(int of, long askedNanos, long readNanos, long takenNanos, Decision decision) {
  /** The moments at which all requests of a load may be taken to count. */
  static final List<ToLongFunction<Asked>> MOMENTS = List.of(Asked::readNanos, Asked::takenNanos);

  /**
   * A request whose decision has just come.
   *
   * @param offsetNanos time since the epoch, minus that of this process's monotonic clock
   * @throws IllegalStateException if no rule has decided it
   */
  static Asked now(int of, long askedNanos, Decision decision, long offsetNanos) {
    long taken = System.nanoTime();
    RuleDecision by =
        decision
            .rule()
            .orElseThrow(() -> new IllegalStateException("must be decided by a rule: " + decision));
    return new Asked(
        of, askedNanos + offsetNanos, by.atNanos() + offsetNanos, taken + offsetNanos, decision);
  }

  /** In order of these moments. */
  static List<Asked> sorted(List<Asked> all, ToLongFunction<Asked> moment) {
    return all.stream().sorted(Comparator.comparingLong(moment)).toList();
  }
}
