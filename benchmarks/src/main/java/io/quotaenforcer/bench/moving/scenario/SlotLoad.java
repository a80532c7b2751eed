package io.quotaenforcer.bench.moving.scenario;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Eight instances, each with five requests that run one after the other in slots: twice as many.
 */
public final class SlotLoad {
  private static final long MILLI = 1_000_000L;

  public static final int INSTANCES = 8;
  public static final int SLOTS = 20;
  public static final int TIMES = 2;
  public static final int AT_EACH = TIMES * SLOTS / INSTANCES;

  /** How long a request may run. */
  public static final long MAX_HOLD = 5_000 * MILLI;

  private static final long LEASE = 2_000 * MILLI;
  private static final long SHORTEST = 20 * MILLI;
  private static final long LONGEST = 180 * MILLI;

  /** By then the slots of an instance that is gone are to be held by others. */
  public static final double BACK_SECONDS = (LEASE + MAX_HOLD) / 1e9 + 1;

  private SlotLoad() {}

  public static Rule rule() {
    return Rule.of(
            new RuleId("reports", "exports"),
            List.of("tenant"),
            new ConcurrencyLimit(SLOTS, MAX_HOLD))
        .withEnforcement(Enforcement.STRICT)
        .withVersion(1, 1);
  }

  public static Request request() {
    return Request.of("tenant", "acme");
  }

  /** How long a request runs. */
  public static long holdNanos(SplittableRandom random) {
    return random.nextLong(SHORTEST, LONGEST);
  }
}
