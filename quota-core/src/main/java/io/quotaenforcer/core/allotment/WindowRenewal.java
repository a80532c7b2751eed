package io.quotaenforcer.core.allotment;

/**
 * Permits that come all at once when a window begins, in a cell of that window ({@link HeldShare}).
 * To the share itself none ever come.
 *
 * @param permits of each window
 */
record WindowRenewal(long startNanos, long permits) implements Renewal {
  @Override
  public WindowRenewal after(Renewal before, long net) {
    return this;
  }

  @Override
  public WindowRenewal putOff(long nanos) {
    return this;
  }

  @Override
  public boolean holds(long cost) {
    return cost <= permits;
  }

  @Override
  public boolean admits(long cost, long net, long now) {
    return false;
  }

  @Override
  public long room(long net, long now) {
    return 0;
  }

  @Override
  public long nanosUntil(long cost, long net, long now) {
    return Long.MAX_VALUE;
  }

  @Override
  public long used(long net, long now) {
    return 0;
  }

  @Override
  public long putBack(long cost, long takenNanos) {
    return 0;
  }

  @Override
  public long takeableAgain(long cost, long takenNanos, long now) {
    return 0;
  }
}
