package io.quotaenforcer.enforcer.demo;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;

/** The three rules of the demo. */
public final class DemoRules {
  public static final String DOMAIN = "demo";
  static final int ORDERS = 0;
  static final int READS = 1;
  static final int UPLOADS = 2;

  private static final long SECOND = 1_000_000_000L;

  private DemoRules() {}

  /**
   * Limits in proportion to the load, so that the same keys are as far over them at any rate: 200,
   * 300 and 150 per second at 20,000 requests/s.
   */
  public static List<Rule> forRate(double requestsPerSecond) {
    long orders = atLeast20(requestsPerSecond / 100);
    long reads = atLeast20(requestsPerSecond * 3 / 200);
    long uploads = atLeast20(requestsPerSecond * 3 / 400);
    return List.of(
        rule("orders-per-customer", "POST /orders", "customer", new FixedWindow(orders, SECOND))
            .withEnforcement(Enforcement.STRICT),
        rule("reads-per-key", "GET /items", "api-key", new SlidingWindow(reads, SECOND)),
        rule(
            "uploads-per-tenant",
            "PUT /files",
            "tenant",
            new TokenBucket(uploads, SECOND, uploads)));
  }

  private static Rule rule(String id, String api, String key, Limit limit) {
    return Rule.of(new RuleId(DOMAIN, id), List.of(key), limit)
        .withMatch(Map.of("api", new Matcher.Exact(api)));
  }

  private static long atLeast20(double permits) {
    return Math.max(20, Math.round(permits));
  }
}
