package io.quotaenforcer.core.deferral;

/**
 * State of one lane. Numbers are given in order of arrival and never reused; some may be gone.
 *
 * @param first all requests with lower numbers are released or gone
 * @param next number of the next request to arrive
 * @param waiting waiting requests
 * @param sinceMillis when the request last seen at the head was handed over, epoch milliseconds: no
 *     waiting one was handed over much earlier
 */
public record LaneState(long first, long next, long waiting, long sinceMillis) {

  /** Empty, with numbers from {@code first}. */
  static LaneState from(long first) {
    return new LaneState(first, first, 0, 0);
  }

  LaneState add(long deferredMillis) {
    return new LaneState(first, next + 1, waiting + 1, waiting == 0 ? deferredMillis : sinceMillis);
  }

  /** The lane with one fewer waiting. */
  LaneState remove() {
    return new LaneState(first, next, waiting - 1, sinceMillis);
  }

  LaneState release(long number, long deferredMillis) {
    return new LaneState(number + 1, next, waiting - 1, Math.max(sinceMillis, deferredMillis));
  }

  /** Without any that waits. */
  LaneState clear() {
    return new LaneState(next, next, 0, sinceMillis);
  }
}
