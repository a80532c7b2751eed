package io.quotaenforcer.core.allotment;

/**
 * A cell that the instance opened itself, for what it admits without a grant, or to count what was
 * refused: it has no limit of its own.
 */
final class CountingCell extends Cell {
  /**
   * @param windowStartNanos of the window that is counted; 0 for kinds without windows
   */
  CountingCell(long id, long windowStartNanos) {
    super(id, windowStartNanos, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  @Override
  boolean take(long permits, long now) {
    while (true) {
      long before = counter().taken();
      // Read after what was taken: see close().
      if (isClosed() || permits > Long.MAX_VALUE - before) {
        return false;
      }
      if (counter().move(before, permits)) {
        return true;
      }
      counter().lostRace();
    }
  }

  @Override
  long roomAt(long now) {
    return isValidAt(now) ? Long.MAX_VALUE : 0;
  }

  @Override
  long takeableAgain(long permits, boolean ofWindow, long takenNanos, long now) {
    return ofWindow ? permits : 0;
  }

  @Override
  long leased(long inUse) {
    return 0;
  }

  @Override
  long giveBack(long permits) {
    return 0;
  }

  @Override
  long end() {
    return 0;
  }

  /** Refusals are counted elsewhere; there are no permits to spread. */
  @Override
  void spreadPermits(boolean isContended, int least) {}
}
