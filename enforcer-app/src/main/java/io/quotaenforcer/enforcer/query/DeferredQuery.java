package io.quotaenforcer.enforcer.query;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Asks an enforcer about the deferred requests in its partitions. Each answer says which partitions
 * it covers; nothing changes by asking.
 */
public interface DeferredQuery {
  /**
   * Partitions to ask.
   *
   * @param partitions empty for every partition that the scope may be in
   */
  record Where(DeferredScope scope, Set<Integer> partitions) {
    public Where {
      partitions = Set.copyOf(partitions);
    }
  }

  /** Sums, one for each rule. */
  CoveredAnswer<List<QueueStats>> statsByRule(Where where);

  /** Sums, one for each of the quota keys with most requests. */
  CoveredAnswer<Page<QueueStats>> statsByKey(Where where, int most);

  /** Requests after a place, or from the first one on, in order. */
  CoveredAnswer<Page<DeferredEntry>> list(Where where, Optional<DeferredPlace> after, int most);

  /** The requests with an id, at most one per quota key. */
  CoveredAnswer<List<DeferredEntry>> show(String id, Set<Integer> partitions);
}
