package io.quotaenforcer.bench.decision.timed;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Opening;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The rules that are timed. A request matches those whose {@code case} it names. */
public final class BenchRules {
  static final String DOMAIN = "bench";
  static final String CASE = "case";

  /** Nothing is opened: the permits that are timed are granted. */
  private static final Opening NOT_OPENED = new Opening.Part(0);

  static final Rule BALANCED = rule("balanced", List.of(), always());
  static final Rule STRICT =
      rule("strict", List.of(), always()).withEnforcement(Enforcement.STRICT);
  static final Rule SPENT = rule("spent", List.of(), never()).withOpening(Opening.WHOLE);
  static final Rule PER_USER = rule("per-user", List.of("user"), perKey());
  static final Rule PER_HASHED_USER =
      rule("per-hashed-user", List.of(), perKey())
          .withKey(new RuleKey(List.of(KeyAttribute.hashed("user"))));
  static final List<Rule> LAYERED =
      List.of(
          layer("layer-user", List.of("user")),
          layer("layer-tenant", List.of("tenant")),
          layer("layer-api", List.of("api")));

  /** Of three classes. */
  static final Rule CLASSES =
      rule("classes", List.of(), always())
          .withClasses(
              new DemandClasses(
                  List.of(
                      DemandClass.of("critical", Map.of("job", new Matcher.Exact("charge"))),
                      DemandClass.of("normal", Map.of()),
                      DemandClass.of("batch", Map.of("job", new Matcher.Any())))));

  static final Rule SLOTS =
      withCase(
          Rule.of(
                  new RuleId(DOMAIN, "slots"),
                  List.of(),
                  new ConcurrencyLimit(1_000, Duration.ofHours(1).toNanos()))
              .withVersion(1, 1),
          "slots");

  static final List<Rule> PLAIN = List.of(inPart("plain", "plain"));
  static final List<Rule> TWO_PLAIN = List.of(inPart("two", "one"), inPart("two", "other"));

  /** A rule that may borrow of a pool, of which a request takes, too. */
  static final List<Rule> ELASTIC =
      List.of(
          inPart("elastic", "users").withElastic(new Elastic("pool", 30_000)),
          inPart("elastic", "pool"));

  /** Permits of a rule that borrows all that it is asked for beside them. */
  static final int OWN_PERMITS = 1_000_000_000;

  static final List<Rule> BORROWING =
      List.of(
          inPart("borrowing", "users")
              .withLimit(new SlidingWindow(OWN_PERMITS, Duration.ofDays(1).toNanos()))
              .withElastic(new Elastic("pool", Elastic.MAX_BASIS_POINTS)),
          inPart("borrowing", "pool").withLimit(always()));

  private BenchRules() {}

  private static Rule inPart(String name, String id) {
    return withCase(rule(id, List.of(), perKey()), name);
  }

  /** Those that are timed with an enforcer. */
  public static List<Rule> live() {
    return List.of(BALANCED, STRICT, SPENT);
  }

  private static Rule layer(String id, List<String> key) {
    return withCase(rule(id, key, perKey()), "layered");
  }

  private static Rule rule(String id, List<String> key, Limit limit) {
    Rule rule =
        Rule.of(new RuleId(DOMAIN, id), key, limit).withVersion(1, 1).withOpening(NOT_OPENED);
    return withCase(rule, id);
  }

  private static Rule withCase(Rule rule, String name) {
    return rule.withMatch(Map.of(CASE, new Matcher.Exact(name)));
  }

  private static Limit always() {
    return new SlidingWindow(Limit.MAX_PERMITS, Duration.ofSeconds(1).toNanos());
  }

  private static Limit perKey() {
    return new SlidingWindow(Limit.MAX_PERMITS / 100, Duration.ofSeconds(1).toNanos());
  }

  private static Limit never() {
    return new SlidingWindow(1, Duration.ofDays(1).toNanos());
  }
}
