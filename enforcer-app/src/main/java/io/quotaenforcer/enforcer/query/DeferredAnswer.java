package io.quotaenforcer.enforcer.query;

import java.util.function.Function;

/** What one enforcer knows, and of which partitions. */
public record DeferredAnswer<T>(T found, Coverage coverage) {
  <U> DeferredAnswer<U> map(Function<? super T, ? extends U> change) {
    return new DeferredAnswer<>(change.apply(found), coverage);
  }
}
