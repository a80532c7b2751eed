package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.match.Matcher;
import java.util.Map;

/**
 * The requests that a rule is for, what it counts them by, which of them come first, and which
 * count.
 *
 * @param match conditions on attributes, all of which must hold; empty matches every request
 * @param key what makes the quota key; a request without one of its attributes is not matched
 * @param classes of its requests, in the order in which they are served
 * @param count which of them count, by how they turn out
 */
public record RuleScope(
    Map<String, Matcher> match, RuleKey key, DemandClasses classes, CountWhen count) {
  public RuleScope {
    match = Map.copyOf(match);
  }

  /** Without classes or a count by outcome: all requests are alike, and all count. */
  public RuleScope(Map<String, Matcher> match, RuleKey key) {
    this(match, key, DemandClasses.NONE, CountWhen.ALWAYS);
  }
}
