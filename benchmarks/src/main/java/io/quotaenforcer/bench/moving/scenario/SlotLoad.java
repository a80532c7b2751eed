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

  /** How long a request runs in the mean. */
  public static final long MEAN_HOLD = (SHORTEST + LONGEST) / 2;

  /** By then the slots of an instance that is gone are to be held by others. */
  public static final double BACK_SECONDS = (LEASE + MAX_HOLD) / 1e9 + 1;

  private SlotLoad() {}

  public static Rule rule() {
    return rule("tenant");
  }

  /**
   * The rule by another attribute.
   *
   * @param attribute by which slots are counted
   */
  public static Rule rule(String attribute) {
    return Rule.of(
            new RuleId("reports", "exports"),
            List.of(attribute),
            new ConcurrencyLimit(SLOTS, MAX_HOLD))
        .withEnforcement(Enforcement.STRICT)
        .withVersion(1, 1);
  }

  public static Request request() {
    return Request.of("tenant", "acme");
  }

  /** Requests of one instance that want as many slots on average, where each comes by itself. */
  public static double perSecond() {
    return (double) TIMES * SLOTS / INSTANCES / (MEAN_HOLD / 1e9);
  }

  /** How long a request runs. */
  public static long holdNanos(SplittableRandom random) {
    return random.nextLong(SHORTEST, LONGEST);
  }
}
