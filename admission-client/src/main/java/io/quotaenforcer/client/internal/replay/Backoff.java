package io.quotaenforcer.client.internal.replay;

/**
 * Pauses that double from attempt to attempt, each shortened at random by up to a half, so that
 * what failed together does not come again together.
 *
 * @param firstNanos longest pause after the first attempt
 * @param mostNanos longest pause at all
 */
record Backoff(long firstNanos, long mostNanos) {
  static final Backoff OF_FAILED_REPLAYS = new Backoff(100_000_000L, 30_000_000_000L);

  /**
   * The pause after some attempts.
   *
   * @param attempts made so far, at least 1
   * @param random from 0 to 1
   */
  long nanos(int attempts, double random) {
    long longest = mostNanos;
    if (attempts <= Long.numberOfLeadingZeros(firstNanos) - 1) {
      longest = Math.min(mostNanos, firstNanos << (attempts - 1));
    }
    return longest - (long) (longest / 2 * random);
  }
}
