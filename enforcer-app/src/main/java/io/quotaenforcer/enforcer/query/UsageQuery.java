package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.RuleId;
import java.util.Map;

/** Asks for the counts of one quota key. */
public interface UsageQuery {
  /**
   * The current usage of a quota key.
   *
   * @param attributes values of the rule's key attributes
   */
  UsageAnswer usage(RuleId rule, Map<String, String> attributes);
}
