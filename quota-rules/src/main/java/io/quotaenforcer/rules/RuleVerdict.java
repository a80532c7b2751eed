package io.quotaenforcer.rules;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.match.Answer;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.CountedUnder;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Effect of one rule on one request.
 *
 * @param conditions all conditions of the rule, those on its key attributes last
 */
public record RuleVerdict(Rule rule, List<Condition> conditions, Outcome outcome) {
  /** Stands for a value that is to be hashed, without a key to do so. */
  private static final String UNSEEN = "a value that is hashed";

  /**
   * A condition on one attribute.
   *
   * @param text the condition in plain words
   * @param value the request's value
   * @param answer whether it meets the condition, or that the client gives up on the test
   */
  public record Condition(String attribute, String text, Optional<String> value, Answer answer) {
    /** Whether it counts as met. */
    public boolean holds() {
      return answer != Answer.NO;
    }
  }

  /** The outcome for the request. */
  public sealed interface Outcome {}

  /** At least one condition fails: the rule does not apply to the request. */
  public record NoMatch() implements Outcome {}

  /** The rule matches, and neither limits nor counts the request. */
  public record Exempt(RuleOverride override) implements Outcome {}

  /** The rule matches, and throttles every request of this quota key. */
  public record Denied(QuotaKey quotaKey, RuleOverride override) implements Outcome {}

  /**
   * The rule matches, and takes the request's cost from this quota key.
   *
   * @param partition of the quota key
   * @param override origin of the limit, if not the rule itself
   * @param limit before the tolerance
   * @param withTolerance the effective limit
   * @param demandClass name of the request's class; empty where the rule has none
   */
  public record Counted(
      QuotaKey quotaKey,
      int partition,
      Optional<RuleOverride> override,
      Limit limit,
      Limit withTolerance,
      DeclaredBound bound,
      String demandClass)
      implements Outcome {}

  /**
   * The rule matches; the quota key is not known, as there is no key to hash a value by.
   *
   * @param attribute whose value it is
   */
  public record Unhashed(String attribute) implements Outcome {}

  /**
   * A request to be judged.
   *
   * @param shown the same, without the values that a rule hashes
   * @param keys that values are hashed by
   */
  record Asked(Request request, Request shown, HashKeys keys) {}

  public RuleVerdict {
    conditions = List.copyOf(conditions);
  }

  /**
   * Judges a request as a client would.
   *
   * @param partitions of the topics
   * @param maxInstances instances that the bound is computed for
   */
  static RuleVerdict of(Rule rule, Asked asked, int partitions, int maxInstances) {
    Request request = asked.request();
    List<Condition> conditions = conditions(rule, asked);
    if (!conditions.stream().allMatch(Condition::holds)) {
      return new RuleVerdict(rule, conditions, new NoMatch());
    }
    CountedUnder counted = rule.countedUnder(request, asked.keys());
    if (counted instanceof CountedUnder.InTheClear clear) {
      return new RuleVerdict(rule, conditions, new Unhashed(clear.attribute()));
    }
    Optional<RuleOverride> override = rule.overrideOf(request, asked.keys());
    Optional<QuotaKey> quotaKey = ((CountedUnder.Keys) counted).all().stream().findFirst();
    if (quotaKey.isEmpty()) {
      return new RuleVerdict(rule, conditions, new Exempt(override.orElseThrow()));
    }
    if (rule.denies(quotaKey.get())) {
      return new RuleVerdict(rule, conditions, new Denied(quotaKey.get(), override.orElseThrow()));
    }
    Limit limit = override.flatMap(RuleOverride::limit).orElse(rule.limit());
    Limit withTolerance = rule.limitOf(quotaKey.get());
    DeclaredBound bound = RuleExplanation.bound(rule, withTolerance, withTolerance, maxInstances);
    return new RuleVerdict(
        rule,
        conditions,
        new Counted(
            quotaKey.get(),
            quotaKey.get().partition(partitions),
            override,
            limit,
            withTolerance,
            bound,
            rule.classes().name(rule.classes().of(request.attributes()))));
  }

  public boolean matches() {
    return !(outcome instanceof NoMatch);
  }

  private static List<Condition> conditions(Rule rule, Asked asked) {
    List<Condition> conditions = new ArrayList<>();
    new TreeMap<>(rule.match())
        .forEach((name, matcher) -> conditions.add(condition(name, matcher, asked)));
    for (String name : rule.key().names()) {
      conditions.add(condition(name, new Matcher.Any(), asked));
    }
    return conditions;
  }

  private static Condition condition(String name, Matcher matcher, Asked asked) {
    String value = asked.request().attributes().get(name);
    String shown = asked.shown().attributes().getOrDefault(name, UNSEEN);
    return new Condition(
        name,
        MatchWords.condition(name, matcher),
        value == null ? Optional.empty() : Optional.of(shown),
        matcher.test(value));
  }
}
