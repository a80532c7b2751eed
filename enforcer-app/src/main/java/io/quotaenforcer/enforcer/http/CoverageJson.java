package io.quotaenforcer.enforcer.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.enforcer.query.Coverage;
import java.util.TreeMap;

/** The partitions that an answer covers, as JSON. */
final class CoverageJson {
  private CoverageJson() {}

  /** Adds {@code partitions}. */
  static ObjectNode with(ObjectNode root, Coverage coverage) {
    ObjectNode partitions = root.putObject("partitions");
    coverage.answered().forEach(partitions.putArray("answered")::add);
    ArrayNode elsewhere = partitions.putArray("elsewhere");
    new TreeMap<>(coverage.elsewhere())
        .forEach(
            (enforcer, numbers) -> {
              ObjectNode other = elsewhere.addObject().put("enforcer", enforcer.toString());
              numbers.forEach(other.putArray("partitions")::add);
            });
    coverage.missing().forEach(partitions.putArray("missing")::add);
    return root;
  }
}
