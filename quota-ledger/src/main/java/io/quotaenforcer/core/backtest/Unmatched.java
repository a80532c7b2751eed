package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * Says which rules matched hardly any request, or none, and why: a rule with nothing to do keeps
 * every promise, and shows nothing.
 */
public final class Unmatched {
  /** Less than one request in this many is hardly any. */
  private static final int NEARLY_NONE = 100;

  private static final int MOST_NAMES = 40;

  private Unmatched() {}

  /**
   * Empty if every rule matched some request and together they matched more than hardly any.
   *
   * @param unit of requests: lines or events
   * @param matched requests by rule
   * @param anyMatched requests that some rule matched
   * @param requests all of them
   */
  public static List<String> notes(
      String unit,
      Collection<Rule> rules,
      ToLongFunction<RuleId> matched,
      long anyMatched,
      long requests,
      SeenAttributes attributes) {
    boolean nearlyNone = anyMatched * NEARLY_NONE < requests;
    List<String> notes = new ArrayList<>();
    for (Rule rule : rules) {
      long found = matched.applyAsLong(rule.id());
      if (found == 0 || nearlyNone) {
        notes.add(
            String.format(
                Locale.ROOT,
                "%s matched %s of %,d %s: %s",
                rule.id(),
                found == 0 ? "none" : String.format(Locale.ROOT, "%,d", found),
                requests,
                unit,
                why(rule, unit, attributes)));
      }
    }
    if (rules.isEmpty()) {
      notes.add("the file has no rules");
    } else if (!notes.isEmpty()) {
      notes.add("attributes of the " + unit + ": " + shortened(attributes.text()));
    }
    return notes;
  }

  private static String why(Rule rule, String unit, SeenAttributes attributes) {
    Set<String> wanted = new TreeSet<>(rule.key().names());
    rule.match()
        .forEach(
            (name, matcher) -> {
              if (!(matcher instanceof Matcher.Absent)) {
                wanted.add(name);
              }
            });
    List<String> missing = wanted.stream().filter(name -> !attributes.has(name)).toList();
    if (wanted.isEmpty()) {
      return "its conditions are not met";
    }
    String wants = "it wants " + String.join(", ", wanted);
    return missing.isEmpty()
        ? wants + ", which some " + unit + " have, but not with such values"
        : wants + "; no " + unit + " have " + String.join(", ", missing);
  }

  private static String shortened(String names) {
    String[] each = names.split(", ", MOST_NAMES + 1);
    return each.length <= MOST_NAMES
        ? names
        : String.join(", ", List.of(each).subList(0, MOST_NAMES)) + ", ...";
  }
}
