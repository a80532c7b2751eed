package io.quotaenforcer.enforcer.envoy;

import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.enforcer.rules.Problems;
import io.quotaenforcer.enforcer.rules.RuleProblem;
import io.quotaenforcer.enforcer.rules.RuleYaml;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/** Writes drafts as a rule file, each with where it is from and what is not as it was. */
final class RuleFileText {
  private final StringBuilder text = new StringBuilder();
  private final RuleIds ids = new RuleIds();
  private final Deque<RuleProblem> remarks;

  private RuleFileText(List<RuleProblem> warnings) {
    this.remarks = new ArrayDeque<>(warnings);
  }

  static String of(String domain, List<RuleDraft> drafts, List<RuleProblem> warnings) {
    RuleFileText file = new RuleFileText(warnings);
    file.write(domain, drafts.stream().filter(RuleDraft::isWritten).toList());
    return file.text.toString();
  }

  private void write(String domain, List<RuleDraft> drafts) {
    line("# From a configuration of Envoy's ratelimit service.");
    line(
        "# Which descriptors a proxy sends is not in it: a rule here holds for every request that");
    line("# has the attributes.");
    int first = drafts.isEmpty() ? Integer.MAX_VALUE : Problems.line(place(drafts.get(0)));
    remarksBefore(first, "");
    line("domain: " + RuleYaml.text(domain));
    line(drafts.isEmpty() ? "rules: []" : "rules:");
    for (int i = 0; i < drafts.size(); i++) {
      int next =
          i + 1 < drafts.size() ? Problems.line(place(drafts.get(i + 1))) : Integer.MAX_VALUE;
      write(drafts.get(i), next);
    }
  }

  private void write(RuleDraft draft, int nextLine) {
    line("  # line " + Problems.line(place(draft)) + ": " + printable(draft.toString()));
    remarksBefore(nextLine, "  ");
    line("  - id: " + RuleYaml.text(ids.of(draft)));
    if (!draft.match().isEmpty()) {
      line("    match: " + RuleYaml.match(draft.match()));
    }
    if (!draft.key().isEmpty()) {
      line("    key: " + RuleYaml.key(RuleKey.of(draft.key())));
    }
    line("    limit: " + RuleYaml.limit(draft.limit().window().orElseThrow()));
    if (draft.descriptor().shadow()) {
      line("    mode: shadow");
    }
    List<RuleOverride> overrides = draft.overrides();
    if (!overrides.isEmpty()) {
      line("    overrides:");
      overrides.forEach(override -> line("      - " + RuleYaml.override(override)));
    }
  }

  private void remarksBefore(int line, String indent) {
    while (!remarks.isEmpty() && remarks.getFirst().line() < line) {
      RuleProblem remark = remarks.removeFirst();
      line(indent + "# line " + remark.line() + ", warning: " + remark.message());
    }
  }

  private static Node place(RuleDraft draft) {
    return draft.descriptor().place();
  }

  private static String printable(String path) {
    String quoted = Problems.quote(path);
    return quoted.substring(1, quoted.length() - 1);
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
