package io.quotaenforcer.lab.it;

import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Two strict rules that defer, with two keys each, and who asks for what. */
final class DeferralLoad {
  static final String DOMAIN = "shop";
  static final int MAX_INSTANCES = 10;
  static final int KEYS = 2;

  private static final long SECOND = 1_000_000_000L;

  static final List<Rule> RULES =
      List.of(
          rule("orders", new FixedWindow(150, SECOND), Release.AS_QUOTA_FREES),
          rule("uploads", new TokenBucket(100, SECOND, 100), Release.STEADY));

  private DeferralLoad() {}

  static Rule rule(SplittableRandom random) {
    return RULES.get(random.nextInt(RULES.size()));
  }

  static Request request(Rule rule, int key) {
    return Request.of("api", rule.id().id(), "key", "k" + key);
  }

  static QuotaKey key(Rule rule, int key) {
    return QuotaKey.of(rule.id(), List.of("k" + key));
  }

  static Priority priority(SplittableRandom random) {
    return Priority.values()[random.nextInt(Priority.values().length)];
  }

  private static Rule rule(String id, Limit limit, Release release) {
    return Rule.of(new RuleId(DOMAIN, id), List.of("key"), limit)
        .withMatch(Map.of("api", new Matcher.Exact(id)))
        .withEnforcement(Enforcement.STRICT)
        .withOverLimit(
            new OverLimit.Defer(2_000, release, 100_000, 64L << 20, 50, OnDelete.RELEASE));
  }
}
