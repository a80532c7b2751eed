package io.quotaenforcer.enforcer.query;

import java.util.function.Function;

/** One enforcer's findings and the partitions that they cover. */
public record CoveredAnswer<T>(T found, Coverage coverage) {
  public <U> CoveredAnswer<U> map(Function<? super T, ? extends U> change) {
    return new CoveredAnswer<>(change.apply(found), coverage);
  }
}
