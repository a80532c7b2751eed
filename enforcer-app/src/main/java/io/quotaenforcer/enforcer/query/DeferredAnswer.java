package io.quotaenforcer.enforcer.query;

import java.util.function.Function;

/** One enforcer's findings and the partitions that they cover. */
public record DeferredAnswer<T>(T found, Coverage coverage) {
  <U> DeferredAnswer<U> map(Function<? super T, ? extends U> change) {
    return new DeferredAnswer<>(change.apply(found), coverage);
  }
}
