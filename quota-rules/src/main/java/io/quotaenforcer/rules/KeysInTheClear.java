package io.quotaenforcer.rules;

import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.rules.RuleField.Reading;
import java.util.HashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Finds attributes that one rule of a file counts by their hash and another one in the clear: then
 * the values were not hidden, and the other rule would see hashes in request events and replays.
 */
final class KeysInTheClear {
  private final Problems problems;
  private final Map<String, First> first = new HashMap<>();

  /** The first rule that counts by an attribute. */
  private record First(boolean isHashed, Node key) {}

  KeysInTheClear(Problems problems) {
    this.problems = problems;
  }

  void check(Reading read) {
    RuleKey key = read.ifRight(RuleFields.KEY);
    Node node = read.fields().optional(RuleFields.KEY.spelling().name());
    if (key == null || node == null) {
      return;
    }
    for (KeyAttribute attribute : key.attributes()) {
      First known = first.putIfAbsent(attribute.name(), new First(attribute.isHashed(), node));
      if (known != null && known.isHashed() != attribute.isHashed()) {
        problems.at(
            node,
            "%s is %s here, and %s in line %d; write hash: true in both, or in neither"
                .formatted(
                    Problems.quote(attribute.name()),
                    words(attribute.isHashed()),
                    words(known.isHashed()),
                    Problems.line(known.key())));
      }
    }
  }

  private static String words(boolean isHashed) {
    return isHashed ? "hashed" : "in the clear";
  }
}
