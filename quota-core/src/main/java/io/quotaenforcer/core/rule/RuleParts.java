package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import java.util.Map;

/** The parts of a rule while some of them are changed: used by one call, then thrown away. */
final class RuleParts {
  private final RuleId id;
  Map<String, Matcher> match;
  RuleKey key;
  Limit limit;
  int toleranceBasisPoints;
  Enforcement enforcement;
  OverLimit overLimit;
  OnUnavailable onUnavailable;
  Mode mode;
  Opening opening;
  Overrides overrides;
  long version;
  long generation;

  RuleParts(Rule rule) {
    id = rule.id();
    match = rule.match();
    key = rule.key();
    limit = rule.limit();
    toleranceBasisPoints = rule.toleranceBasisPoints();
    enforcement = rule.enforcement();
    overLimit = rule.overLimit();
    onUnavailable = rule.onUnavailable();
    mode = rule.mode();
    opening = rule.opening();
    overrides = rule.overrides();
    version = rule.version();
    generation = rule.generation();
  }

  Rule toRule() {
    return new Rule(
        id,
        match,
        key,
        limit,
        toleranceBasisPoints,
        enforcement,
        overLimit,
        onUnavailable,
        mode,
        opening,
        overrides,
        version,
        generation);
  }
}
