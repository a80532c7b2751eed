package io.quotaenforcer.bench.accuracy.innocents;

/** A way for the instances of a fleet to decide the requests of many users. */
interface Policy {
  /** Has a user's request decided at an instance, now or later. */
  void ask(int user, int instance, Answer answer);

  /** Mean time from a report to its answer; 0 when it has none. */
  default double loopNanos() {
    return 0;
  }

  /** Hears how a request was decided. */
  @FunctionalInterface
  interface Answer {
    /**
     * It was decided at this moment.
     *
     * @param windowStartNanos window that the permit belongs to; 0: the one of its time
     */
    void decided(boolean admitted, long windowStartNanos);
  }
}
