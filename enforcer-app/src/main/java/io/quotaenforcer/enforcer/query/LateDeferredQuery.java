package io.quotaenforcer.enforcer.query;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Throws {@link NotReadyException} until the query to delegate to is set. */
public final class LateDeferredQuery implements DeferredQuery {
  private volatile @Nullable DeferredQuery source;

  public void answerWith(DeferredQuery query) {
    source = query;
  }

  @Override
  public CoveredAnswer<List<QueueStats>> statsByRule(Where where) {
    return source().statsByRule(where);
  }

  @Override
  public CoveredAnswer<Page<QueueStats>> statsByKey(Where where, int most) {
    return source().statsByKey(where, most);
  }

  @Override
  public CoveredAnswer<Page<DeferredEntry>> list(
      Where where, Optional<DeferredPlace> after, int most) {
    return source().list(where, after, most);
  }

  @Override
  public CoveredAnswer<List<DeferredEntry>> show(String id, Set<Integer> partitions) {
    return source().show(id, partitions);
  }

  private DeferredQuery source() {
    DeferredQuery known = source;
    if (known == null) {
      throw new NotReadyException("the enforcer is starting");
    }
    return known;
  }
}
