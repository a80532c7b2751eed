package io.quotaenforcer.bench.sparse;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;

/**
 * A rule over very many users; each request goes to any instance.
 *
 * <p>A quota key's partition is all that it meets, so that one partition with all its users is a
 * sample in which nothing is thinner than in the whole: records are as full as they would be.
 *
 * @param waitNanos for how long callers wait
 */
record SparseScenario(String name, Limit limit, Enforcement enforcement, long waitNanos) {
  static final int USERS = 1_000_000;
  static final int INSTANCES = 100;
  static final int PARTITIONS = 16;
  static final int USERS_SAMPLED = USERS / PARTITIONS;

  /** One user in a hundred asks for ten times the limit, the others for half of it. */
  static final int ABUSIVE_ONE_IN = 100;

  static final double ABUSIVE_PER_MINUTE = 100;
  static final double OTHERS_PER_MINUTE = 5;

  private static final long PERMITS = 10;
  private static final long MOST_WAIT = 1_000_000_000L;
  private static final long MINUTE = 60_000_000_000L;

  static List<SparseScenario> all() {
    return List.of(
        new SparseScenario(
            "sliding window, balanced",
            new SlidingWindow(PERMITS, MINUTE),
            Enforcement.BALANCED,
            0),
        new SparseScenario(
            "fixed window, balanced", new FixedWindow(PERMITS, MINUTE), Enforcement.BALANCED, 0),
        new SparseScenario(
            "fixed window, strict", new FixedWindow(PERMITS, MINUTE), Enforcement.STRICT, 0),
        new SparseScenario(
            "fixed window, strict, callers wait",
            new FixedWindow(PERMITS, MINUTE),
            Enforcement.STRICT,
            MOST_WAIT));
  }

  @Override
  @JsonValue
  public String toString() {
    return name;
  }

  Rule rule() {
    return Rule.of(new RuleId("sparse", "per-user"), List.of("user"), limit)
        .withEnforcement(enforcement)
        .withVersion(1, 1);
  }

  /** Requests per second of all sampled users. */
  static double requestsPerSecond() {
    double abusive = (double) USERS_SAMPLED / ABUSIVE_ONE_IN;
    return (abusive * ABUSIVE_PER_MINUTE + (USERS_SAMPLED - abusive) * OTHERS_PER_MINUTE) / 60;
  }
}
