package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.rules.Fields;
import io.quotaenforcer.rules.Problems;
import io.quotaenforcer.rules.Scalars;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Envoy's reading of YAML: an empty value counts as missing, and truth has many words. */
final class Yaml {
  private static final List<String> TRUE = List.of("true", "yes", "on", "y");
  private static final List<String> FALSE = List.of("false", "no", "off", "n");

  private Yaml() {}

  /** The value of a key; null if missing or empty. */
  static @Nullable Node given(Fields fields, String name) {
    Node node = fields.optional(name);
    return node == null || Fields.isNull(node) ? null : node;
  }

  /** Whether a key is true; a missing one is not. */
  static boolean flag(Fields fields, String name, Scalars scalars, Problems errors) {
    Node node = given(fields, name);
    String text = node == null ? null : scalars.text(node, name);
    if (node == null || text == null) {
      return false;
    }
    String word = text.toLowerCase(Locale.ROOT);
    if (!TRUE.contains(word) && !FALSE.contains(word)) {
      errors.at(node, name + " must be true or false, not " + Problems.quote(text));
    }
    return TRUE.contains(word);
  }
}
