package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.RuleId;
import java.util.Map;

/** Not ready until the query to delegate to is set. */
public final class DeferredUsageQuery implements UsageQuery {
  private volatile UsageQuery source =
      (rule, attributes) -> new UsageAnswer.NotReady("the enforcer is starting");

  public void answerWith(UsageQuery query) {
    source = query;
  }

  @Override
  public UsageAnswer usage(RuleId rule, Map<String, String> attributes) {
    return source.usage(rule, attributes);
  }
}
