package io.quotaenforcer.client.spi;

import java.time.Duration;

/** How a replay that was handed to a {@link ReplayHandler} has ended. Immutable. */
public sealed interface ReplayOutcome {

  /** It has run. */
  record Done() implements ReplayOutcome {
    private static final Done INSTANCE = new Done();
  }

  /**
   * It is to be tried again; the replays behind it in its order wait as well.
   *
   * @param after how long it waits at least; one longer than a day is cut to a day
   */
  record RetryLater(Duration after) implements ReplayOutcome {
    public RetryLater {
      if (after.isNegative()) {
        throw new IllegalArgumentException("must not be negative: after=" + after);
      }
    }
  }

  /**
   * It cannot run, now or later: it becomes a dead letter.
   *
   * @param reason for people; stands in the dead letter
   */
  record Failed(String reason) implements ReplayOutcome {}

  /** It has run. */
  static ReplayOutcome done() {
    return Done.INSTANCE;
  }

  /**
   * It is to be tried again after some time.
   *
   * @throws IllegalArgumentException if that is negative
   */
  static ReplayOutcome retryLater(Duration after) {
    return new RetryLater(after);
  }

  /** It becomes a dead letter with this reason. */
  static ReplayOutcome failed(String reason) {
    return new Failed(reason);
  }
}
