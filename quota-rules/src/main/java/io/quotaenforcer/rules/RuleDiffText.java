package io.quotaenforcer.rules;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleChange.Added;
import io.quotaenforcer.rules.RuleChange.Changed;
import io.quotaenforcer.rules.RuleChange.Deleted;
import io.quotaenforcer.rules.RuleChange.FieldChange;
import io.quotaenforcer.rules.RuleChange.Kept;
import io.quotaenforcer.rules.RuleChange.Unchanged;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Writes changes for people. */
public final class RuleDiffText {
  private RuleDiffText() {}

  /** One or more lines for each change, and one with their counts. */
  public static List<String> lines(List<RuleChange> changes) {
    List<String> lines = new ArrayList<>();
    for (RuleChange change : changes) {
      lines.addAll(lines(change));
    }
    lines.add(
        "%s, %s, %s, %s"
            .formatted(
                count(changes, Added.class, "added"),
                count(changes, Changed.class, "changed"),
                count(changes, Deleted.class, "deleted"),
                count(changes, Unchanged.class, "unchanged")));
    return lines;
  }

  private static List<String> lines(RuleChange change) {
    if (change instanceof Added added) {
      return List.of("+ " + added.id() + ": " + summary(added.rule()));
    }
    if (change instanceof Changed changed) {
      return changed(changed);
    }
    if (change instanceof Deleted deleted) {
      return List.of(
          "- %s: %s"
              .formatted(
                  deleted.id(), deleted.before().map(RuleDiffText::summary).orElse("unreadable")));
    }
    if (change instanceof Kept kept) {
      return List.of("  " + kept.id() + ": not in the file, kept (--prune deletes it)");
    }
    return List.of();
  }

  private static List<String> changed(Changed changed) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "~ %s: version %s -> %s%s"
            .formatted(
                changed.id(),
                changed.before().version(),
                changed.after().version(),
                changed.countsAnew() ? ", counts begin anew" : ", counts are kept"));
    for (FieldChange field : changed.fields()) {
      lines.add("    " + text(field));
    }
    return lines;
  }

  /** The limit and the key of a rule on one line. */
  public static String summary(Rule rule) {
    String parts =
        rule.key().attributes().stream().map(MatchWords::part).collect(Collectors.joining(", "));
    String by = rule.key().isEmpty() ? "in all" : "by " + parts;
    return "%s per %s %s, %s, %s"
        .formatted(
            rule.limit().permits(),
            Words.per(rule.limit()),
            by,
            Words.algorithm(rule.limit()),
            Words.of(rule.enforcement()));
  }

  public static String text(FieldChange field) {
    return "%s: %s -> %s".formatted(field.field(), orNone(field.before()), orNone(field.after()));
  }

  private static String orNone(String text) {
    return text.isEmpty() ? "(none)" : text;
  }

  private static String count(
      List<RuleChange> changes, Class<? extends RuleChange> kind, String word) {
    return changes.stream().filter(kind::isInstance).count() + " " + word;
  }
}
