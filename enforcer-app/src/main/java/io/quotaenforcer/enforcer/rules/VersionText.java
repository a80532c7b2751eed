package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.rules.RuleChange.Added;
import io.quotaenforcer.rules.RuleChange.Changed;
import io.quotaenforcer.rules.RuleChange.Deleted;
import io.quotaenforcer.rules.RuleDiffText;
import java.util.stream.Collectors;

/** A version's changes on one line. */
public final class VersionText {
  private VersionText() {}

  public static String of(VersionChange version) {
    RuleChange change = version.change().orElse(null);
    if (change instanceof Added added) {
      return "added: " + RuleDiffText.summary(added.rule());
    }
    if (change instanceof Deleted) {
      return "deleted";
    }
    if (change instanceof Changed changed) {
      String fields =
          changed.fields().stream().map(RuleDiffText::text).collect(Collectors.joining("; "));
      return fields + (changed.countsAnew() ? "; counts began anew" : "");
    }
    if (change != null) {
      return "no change";
    }
    return version
        .rule()
        .map(RuleDiffText::summary)
        .orElseGet(() -> version.problem().orElse("unreadable"));
  }
}
