package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import java.util.Optional;
import java.util.Set;

/** Asks an enforcer which quota keys of its partitions are under a penalty. */
@FunctionalInterface
public interface PenaltiesQuery {
  /**
   * Where to look.
   *
   * @param rule empty for all rules that have a penalty
   * @param partitions empty for all
   */
  record Where(Optional<RuleId> rule, Set<Integer> partitions) {
    public Where {
      partitions = Set.copyOf(partitions);
    }
  }

  /**
   * Quota keys after one, or from the first one on, in the order of their texts.
   *
   * @throws IllegalArgumentException if the rule is not known, or has no penalty
   * @throws NotReadyException while the enforcer starts or stops
   */
  CoveredAnswer<Page<PenalizedKey>> list(Where where, Optional<QuotaKey> after, int most);
}
