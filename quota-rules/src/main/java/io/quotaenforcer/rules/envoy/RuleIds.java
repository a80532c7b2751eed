package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.RuleId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Ids of rules, as close as possible to the names under which Envoy's service counts. */
final class RuleIds {
  private static final int SUFFIX_CHARS = 6;

  private final Set<String> taken = new HashSet<>();

  /** {@code message_type_marketing.to_number}; the second of a name gets a number. */
  String of(List<Descriptor> descriptors) {
    String path =
        descriptors.stream()
            .map(one -> one.valueText().isEmpty() ? one.key() : one.key() + "_" + one.valueText())
            .collect(Collectors.joining("."));
    String name = name(path, "rule");
    String id = name;
    for (int i = 2; !taken.add(id); i++) {
      id = name + "-" + i;
    }
    return id;
  }

  /** Replaces the characters that a name cannot have. */
  static String name(String text, String otherwise) {
    String name = text.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^-+|-+$", "");
    if (name.length() > RuleId.MAX_CHARS) {
      name = name.substring(0, RuleId.MAX_CHARS - SUFFIX_CHARS);
    }
    return name.isEmpty() ? otherwise : name;
  }
}
