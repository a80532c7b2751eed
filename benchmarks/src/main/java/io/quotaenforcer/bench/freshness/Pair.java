package io.quotaenforcer.bench.freshness;

import io.quotaenforcer.bench.freshness.InstanceHistory.Applied;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Pairs the admissions of one instance with the answers that another hears. Must be asked in the
 * order of time.
 */
final class Pair {
  private final InstanceHistory from;
  private final InstanceHistory to;
  private final long enforcerAheadNanos;
  private int composed;
  private int counted;
  private int heard;

  /**
   * @param enforcerAheadNanos the enforcer's clock minus the instances'
   */
  Pair(InstanceHistory from, InstanceHistory to, long enforcerAheadNanos) {
    this.from = from;
    this.to = to;
    this.enforcerAheadNanos = enforcerAheadNanos;
  }

  /** The effect of a request that was admitted then; null if the history ends before its effect. */
  @Nullable Effect next(long admittedNanos) {
    while (composed < from.composed().size() && from.composed().get(composed) <= admittedNanos) {
      composed++;
    }
    if (composed == from.composed().size()) {
      return null;
    }
    long report = from.composed().get(composed);
    counted = first(from.applied(), counted, answer -> answer.echoNanos() >= report);
    if (counted == from.applied().size()) {
      return null;
    }
    long count = from.applied().get(counted).enforcerNanos();
    heard = first(to.applied(), heard, answer -> answer.enforcerNanos() >= count);
    if (heard == to.applied().size()) {
      return null;
    }
    Applied answer = to.applied().get(heard);
    return new Effect(
        report - admittedNanos,
        count - enforcerAheadNanos - report,
        answer.enforcerNanos() - count,
        answer.appliedNanos() - (answer.enforcerNanos() - enforcerAheadNanos));
  }

  private static int first(List<Applied> answers, int start, Predicate<Applied> wanted) {
    int index = start;
    while (index < answers.size() && !wanted.test(answers.get(index))) {
      index++;
    }
    return index;
  }
}
