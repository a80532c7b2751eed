package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.match.Matcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors of a domain, to be looked up as Envoy's service does: entry by entry, by key and
 * value, else by the first pattern that fits, else by key alone. Only a limit at the depth of the
 * request's descriptor applies. Immutable.
 */
final class GatewayTree {
  private final Map<String, Level> byKey;
  private final Optional<GatewayLimit> limit;

  /** The entries under one key. */
  private static final class Level {
    private final Map<String, GatewayTree> exact = new HashMap<>();
    private final List<Map.Entry<Matcher, GatewayTree>> patterns = new ArrayList<>();
    private @Nullable GatewayTree any;

    private @Nullable GatewayTree of(String value) {
      GatewayTree found = exact.get(value);
      if (found != null) {
        return found;
      }
      for (Map.Entry<Matcher, GatewayTree> pattern : patterns) {
        if (pattern.getKey().matches(value)) {
          return pattern.getValue();
        }
      }
      return any;
    }

    private void add(Matcher value, GatewayTree tree) {
      if (value instanceof Matcher.Any) {
        any = tree;
      } else if (value instanceof Matcher.Exact one) {
        exact.put(one.value(), tree);
      } else {
        patterns.add(Map.entry(value, tree));
      }
    }
  }

  /** Gives the limit of a path of descriptors. */
  interface Limits {
    Optional<GatewayLimit> of(List<Descriptor> path);
  }

  private GatewayTree(Map<String, Level> byKey, Optional<GatewayLimit> limit) {
    this.byKey = byKey;
    this.limit = limit;
  }

  /** Asks for the limits in the order of the file, outer ones first. */
  static GatewayTree of(List<Descriptor> descriptors, Limits limits) {
    return new GatewayTree(levels(List.of(), descriptors, limits), Optional.empty());
  }

  private static Map<String, Level> levels(
      List<Descriptor> above, List<Descriptor> descriptors, Limits limits) {
    Map<String, Level> byKey = new HashMap<>();
    for (Descriptor descriptor : descriptors) {
      List<Descriptor> path = new ArrayList<>(above);
      path.add(descriptor);
      Optional<GatewayLimit> limit = limits.of(path);
      GatewayTree tree = new GatewayTree(levels(path, descriptor.nested(), limits), limit);
      byKey.computeIfAbsent(descriptor.key(), key -> new Level()).add(descriptor.value(), tree);
    }
    return byKey;
  }

  /**
   * The limit of a descriptor.
   *
   * @param keys of its entries
   * @param values of its entries
   */
  Optional<GatewayLimit> find(List<String> keys, List<String> values) {
    GatewayTree at = this;
    for (int i = 0; i < keys.size(); i++) {
      Level level = at.byKey.get(keys.get(i));
      GatewayTree next = level == null ? null : level.of(values.get(i));
      if (next == null) {
        return Optional.empty();
      }
      at = next;
    }
    return at.limit;
  }
}
