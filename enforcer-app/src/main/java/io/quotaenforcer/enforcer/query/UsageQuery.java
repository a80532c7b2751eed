package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.RuleId;
import java.util.Map;

/** Asks what was counted for one quota key. */
public interface UsageQuery {
  /**
   * What is known of a quota key now.
   *
   * @param attributes values of the rule's key attributes
   */
  UsageAnswer usage(RuleId rule, Map<String, String> attributes);
}
