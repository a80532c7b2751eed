package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.match.Condition;
import io.quotaenforcer.core.match.MatchIndex;
import io.quotaenforcer.core.match.Matcher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The index of a set of rules, for those who match many requests by it. */
public final class RuleIndex {
  private RuleIndex() {}

  /**
   * An index of the rules of a set.
   *
   * @param standsFor gives the value that is found for a rule
   */
  public static <T> MatchIndex<T> of(RuleSet rules, Function<Rule, T> standsFor) {
    return MatchIndex.of(
        rules.rules().stream()
            .map(rule -> new MatchIndex.Entry<>(standsFor.apply(rule), conditions(rule)))
            .toList());
  }

  /** Makes the index of a set now, so that the first to match a request need not wait for it. */
  public static void prepare(RuleSet rules) {
    rules.index();
  }

  private static List<Condition> conditions(Rule rule) {
    List<Condition> conditions = new ArrayList<>();
    rule.match().forEach((attribute, matcher) -> conditions.add(new Condition(attribute, matcher)));
    for (String attribute : rule.key().names()) {
      if (!rule.match().containsKey(attribute)) {
        conditions.add(new Condition(attribute, new Matcher.Any()));
      }
    }
    return conditions;
  }
}
