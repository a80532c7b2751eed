package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.rules.envoy.GatewayLimit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rule and values that a descriptor counts by.
 *
 * @param rule in whose name; empty for an unlimited one
 * @param values of the rule's key attributes
 * @param permits a period
 * @param limit of the configuration that it comes from
 */
record Counted(
    Optional<RuleId> rule,
    List<String> values,
    long permits,
    long periodNanos,
    Optional<GatewayLimit> limit) {

  boolean isUnlimited() {
    return rule.isEmpty();
  }

  Optional<String> name() {
    return limit.flatMap(GatewayLimit::name);
  }

  Set<String> replaces() {
    return limit.map(GatewayLimit::replaces).orElse(Set.of());
  }

  /** Whether it refuses only together with all others of this kind; an unlimited one is none. */
  boolean isQuotaMode() {
    return !isUnlimited() && limit.map(GatewayLimit::quotaMode).orElse(false);
  }

  /** To be passed on where it has room; an unlimited one passes nothing on. */
  Map<String, Object> metadata() {
    return isUnlimited() ? Map.of() : limit.map(GatewayLimit::metadata).orElse(Map.of());
  }
}
