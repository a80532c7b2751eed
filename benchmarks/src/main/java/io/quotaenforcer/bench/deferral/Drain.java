package io.quotaenforcer.bench.deferral;

/** How many replays were seen, and how fast in the middle of them. Thread-safe. */
final class Drain {
  private static final double NANOS_PER_SECOND = 1e9;

  private final int expected;
  private int seen;
  private long from;
  private long until;

  /**
   * @param expected replays in all
   */
  Drain(int expected) {
    this.expected = expected;
  }

  /** One more replay was seen. */
  synchronized void seen(long nanos) {
    seen++;
    if (seen == first()) {
      from = nanos;
    }
    if (seen == last()) {
      until = nanos;
    }
  }

  synchronized int seen() {
    return seen;
  }

  /** Replays per second between the first fifth and the last; 0 before that is reached. */
  synchronized double perSecond() {
    return seen < last() || until == from
        ? 0
        : (last() - first()) * NANOS_PER_SECOND / (until - from);
  }

  private int first() {
    return Math.max(1, expected / 5);
  }

  private int last() {
    return expected - expected / 5;
  }
}
