package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.enforcer.query.DeferredQuery.Where;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A query that lists deferred requests. Partitions are asked one after the other, and no more is
 * kept of all together than of one.
 */
record ListQuestion(DeferredScope scope, Optional<DeferredPlace> after, int most) {
  private static final Comparator<DeferredEntry> ORDER = Comparator.comparing(DeferredEntry::place);

  static ListQuestion of(Where where, Optional<DeferredPlace> after, int most) {
    return new ListQuestion(where.scope(), after, most);
  }

  /** Extends a page with the findings of one more partition. */
  Page<DeferredEntry> add(Page<DeferredEntry> soFar, PartitionQueues partition) {
    return merge(soFar, partition.list(scope, after, soFar.end().map(DeferredEntry::place), most));
  }

  private Page<DeferredEntry> merge(Page<DeferredEntry> one, Page<DeferredEntry> other) {
    return Page.merge(List.of(one, other), ORDER, most)
        .cut(DeferredEntry::heapBytes, PartitionQueues.MOST_BYTES_KEPT);
  }
}
