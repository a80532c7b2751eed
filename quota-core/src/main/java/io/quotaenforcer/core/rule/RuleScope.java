package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.match.Matcher;
import java.util.Map;

/**
 * The requests that a rule is for, and what it counts them by.
 *
 * @param match conditions on attributes, all of which must hold; empty matches every request
 * @param key what makes the quota key; a request without one of its attributes is not matched
 */
public record RuleScope(Map<String, Matcher> match, RuleKey key) {
  public RuleScope {
    match = Map.copyOf(match);
  }
}
