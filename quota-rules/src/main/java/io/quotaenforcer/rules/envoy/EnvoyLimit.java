package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.algorithm.FixedWindow;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The {@code rate_limit} of a descriptor.
 *
 * @param window empty for {@code unlimited: true}
 * @param name by which other limits may replace it
 * @param replaces limits that do not apply where this one does
 */
record EnvoyLimit(Optional<FixedWindow> window, Optional<String> name, List<Replaced> replaces) {

  /** The name of another limit, and its place in the file. */
  record Replaced(String name, Node place) {}

  /** Whether it is independent of all other limits. */
  boolean standsAlone() {
    return name.isEmpty() && replaces.isEmpty();
  }
}
