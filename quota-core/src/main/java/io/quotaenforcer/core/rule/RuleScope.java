package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.match.Matcher;
import java.util.Map;

/**
 * The requests that a rule is for, what it counts them by, and which of them come first.
 *
 * @param match conditions on attributes, all of which must hold; empty matches every request
 * @param key what makes the quota key; a request without one of its attributes is not matched
 * @param classes of its requests, in the order in which they are served
 */
public record RuleScope(Map<String, Matcher> match, RuleKey key, DemandClasses classes) {
  public RuleScope {
    match = Map.copyOf(match);
  }

  /** Without classes: all requests are alike. */
  public RuleScope(Map<String, Matcher> match, RuleKey key) {
    this(match, key, DemandClasses.NONE);
  }
}
