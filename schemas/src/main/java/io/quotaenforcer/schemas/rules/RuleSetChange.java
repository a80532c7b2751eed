package io.quotaenforcer.schemas.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes the difference between two rule sets in one line for the log. */
public final class RuleSetChange {
  /** When a thousand rules are published at once, a few names are enough. */
  static final int MOST_NAMED = 10;

  private RuleSetChange() {}

  /**
   * The line.
   *
   * @param before null for the first known rules
   */
  public static String describe(@Nullable RuleSet before, RuleSet now) {
    int count = now.rules().size();
    String inForce = count + (count == 1 ? " rule in force" : " rules in force");
    if (before == null) {
      return inForce;
    }
    List<String> changes = changes(byId(before), byId(now));
    int named = Math.min(changes.size(), MOST_NAMED);
    String rest = named < changes.size() ? ", and %d more".formatted(changes.size() - named) : "";
    return changes.isEmpty()
        ? inForce
        : inForce + ": " + String.join(", ", changes.subList(0, named)) + rest;
  }

  private static List<String> changes(Map<RuleId, Rule> before, Map<RuleId, Rule> now) {
    Set<RuleId> all = new HashSet<>(before.keySet());
    all.addAll(now.keySet());
    List<String> changes = new ArrayList<>();
    for (RuleId id : all.stream().sorted(Comparator.comparing(RuleId::toString)).toList()) {
      Rule old = before.get(id);
      Rule present = now.get(id);
      if (old == null) {
        changes.add(id + " new");
      } else if (present == null) {
        changes.add(id + " gone");
      } else if (!old.equals(present)) {
        changes.add(id + " changed");
      }
    }
    return changes;
  }

  private static Map<RuleId, Rule> byId(RuleSet rules) {
    return rules.rules().stream().collect(Collectors.toMap(Rule::id, Function.identity()));
  }
}
