package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.RuleId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The limit that a descriptor of a request meets.
 *
 * @param counter what it counts by; empty for an unlimited one
 * @param name by which others may replace it
 * @param replaces names of limits that do not apply beside this one
 * @param quotaMode whether it refuses only together with all others of this kind
 * @param metadata to be passed on where it has room
 */
public record GatewayLimit(
    Optional<Counter> counter,
    Optional<String> name,
    Set<String> replaces,
    boolean quotaMode,
    Map<String, Object> metadata) {
  public GatewayLimit {
    replaces = Set.copyOf(replaces);
    metadata = Map.copyOf(metadata);
  }

  /**
   * A rule, and which values of a descriptor are its quota key.
   *
   * @param keyEntries whether an entry of the descriptor belongs to the key, in their order
   */
  public record Counter(RuleId rule, long permits, long periodNanos, boolean[] keyEntries) {}
}
