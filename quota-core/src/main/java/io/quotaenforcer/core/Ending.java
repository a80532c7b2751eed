package io.quotaenforcer.core;

import java.util.Map;

/** How a request ended that permits were taken for before it ran. */
public sealed interface Ending {

  /** Permits that it costs by a rule that counts whatever becomes of a request. */
  long actual();

  /**
   * Only the cost is known, and not how the request turned out.
   *
   * @param actual from 0 to {@link PermitCount#MAX_COST}
   */
  record Cost(long actual) implements Ending {
    public Cost {
      check(actual);
    }
  }

  /**
   * Known is how the request turned out, too.
   *
   * @param actual from 0 to {@link PermitCount#MAX_COST}
   * @param outcome attributes such as {@code status=401}
   */
  record Told(long actual, Map<String, String> outcome) implements Ending {
    public Told {
      check(actual);
      outcome = Map.copyOf(outcome);
    }
  }

  /** Nobody said how it ended: it may have failed, or never have run. */
  record Abandoned() implements Ending {
    @Override
    public long actual() {
      return 0;
    }
  }

  private static void check(long actual) {
    if (actual < 0) {
      throw new IllegalArgumentException("must be >= 0: actual=" + actual);
    }
    PermitCount.checkMost("actual", actual);
  }
}
