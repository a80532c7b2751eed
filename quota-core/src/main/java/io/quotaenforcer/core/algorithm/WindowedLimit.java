package io.quotaenforcer.core.algorithm;

/** A limit whose permits belong to the window they were granted in and are void at its end. */
public non-sealed interface WindowedLimit extends Limit {

  @Override
  default long cellWindow(long at) {
    return windowStart(at);
  }

  @Override
  default long voidAt(long cellWindow) {
    return windowEnd(cellWindow);
  }

  @Override
  default long bookedAt(long at, long cellWindow) {
    return cellWindow;
  }

  @Override
  default boolean isDivisible() {
    return true;
  }

  @Override
  default RenewalTerms renewal() {
    return new RenewalTerms.Windows();
  }

  @Override
  default long borderBefore(long at) {
    return windowStart(at);
  }
}
