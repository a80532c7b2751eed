package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.QuotaKey;
import java.util.Optional;

/** Throws {@link NotReadyException} until the query to delegate to is set. */
public final class LatePenaltiesQuery implements PenaltiesQuery {
  private volatile PenaltiesQuery source =
      (where, after, most) -> {
        throw new NotReadyException("the enforcer is starting");
      };

  public void answerWith(PenaltiesQuery query) {
    source = query;
  }

  @Override
  public CoveredAnswer<Page<PenalizedKey>> list(Where where, Optional<QuotaKey> after, int most) {
    return source.list(where, after, most);
  }
}
