package io.quotaenforcer.client.spi;

import java.time.Duration;

/** What became of a replay that was handed to a {@link ReplayHandler}. */
public sealed interface ReplayOutcome {

  /** It has run. */
  record Done() implements ReplayOutcome {
    private static final Done INSTANCE = new Done();
  }

  /** It is to be tried again; those behind it in its order wait as well. */
  record RetryLater(Duration after) implements ReplayOutcome {
    public RetryLater {
      if (after.isNegative()) {
        throw new IllegalArgumentException("must not be negative: after=" + after);
      }
    }
  }

  /** It cannot run, now or later: it becomes a dead letter with this reason. */
  record Failed(String reason) implements ReplayOutcome {}

  static ReplayOutcome done() {
    return Done.INSTANCE;
  }

  static ReplayOutcome retryLater(Duration after) {
    return new RetryLater(after);
  }

  static ReplayOutcome failed(String reason) {
    return new Failed(reason);
  }
}
