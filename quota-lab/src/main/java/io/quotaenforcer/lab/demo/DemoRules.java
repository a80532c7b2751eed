package io.quotaenforcer.lab.demo;

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

/** The four rules of the demo. */
public final class DemoRules {
  public static final String DOMAIN = "demo";
  static final int ORDERS = 0;
  static final int READS = 1;
  static final int UPLOADS = 2;
  static final int SEARCHES = 3;

  private static final long SECOND = 1_000_000_000L;

  private DemoRules() {}

  /**
   * Limits in proportion to the load, so that the same keys are as far over them at any rate: 200,
   * 300, 150 and 40 per second at 20,000 requests/s.
   */
  public static List<Rule> forRate(double requestsPerSecond) {
    long orders = atLeast20(requestsPerSecond / 100);
    long reads = atLeast20(requestsPerSecond * 3 / 200);
    long uploads = atLeast20(requestsPerSecond * 3 / 400);
    long searches = atLeast20(requestsPerSecond / 500);
    return List.of(
        rule("orders-per-customer", "POST /orders", "customer", new FixedWindow(orders, SECOND))
            .withEnforcement(Enforcement.STRICT),
        rule("reads-per-key", "GET /items", "api-key", new SlidingWindow(reads, SECOND)),
        rule(
            "uploads-per-tenant",
            "PUT /files",
            "tenant",
            new TokenBucket(uploads, SECOND, uploads)),
        rule("searches-per-user", "GET /search", "user", new SlidingWindow(searches, SECOND)));
  }

  private static Rule rule(String id, String api, String key, Limit limit) {
    return Rule.of(new RuleId(DOMAIN, id), List.of(key), limit)
        .withMatch(Map.of("api", new Matcher.Exact(api)));
  }

  private static long atLeast20(double permits) {
    return Math.max(20, Math.round(permits));
  }
}
