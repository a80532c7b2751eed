package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.rules.Problems;
import io.quotaenforcer.rules.RuleProblem;
import io.quotaenforcer.rules.RuleYaml;
import io.quotaenforcer.rules.YamlValues;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/** Writes drafts as a rule file, each with its origin and its differences from it. */
final class RuleFileText {
  private final StringBuilder text = new StringBuilder();
  private final RuleIds ids = new RuleIds();
  private final Deque<RuleProblem> remarks;
  private final List<String> files;

  /** Origin of a part: file and line. */
  private record Position(int file, int line) implements Comparable<Position> {
    static final Position END = new Position(Integer.MAX_VALUE, 0);

    @Override
    public int compareTo(Position other) {
      return file == other.file
          ? Integer.compare(line, other.line)
          : Integer.compare(file, other.file);
    }
  }

  /**
   * @param files that the rules are from
   * @param warnings in their order
   */
  RuleFileText(List<EnvoyFile> files, List<RuleProblem> warnings) {
    this.files = files.stream().map(EnvoyFile::name).toList();
    this.remarks = new ArrayDeque<>(warnings);
  }

  /** The file; of one object, to be called once. */
  String of(String domain, List<RuleDraft> drafts) {
    write(domain, drafts.stream().filter(RuleDraft::isWritten).toList());
    return text.toString();
  }

  private void write(String domain, List<RuleDraft> drafts) {
    line("# From a configuration of Envoy's ratelimit service.");
    line(
        "# Which descriptors a proxy sends is not in it: a rule here holds for every request that");
    line("# has the attributes.");
    remarksBefore(positionOf(drafts, 0), "");
    line("domain: " + YamlValues.text(domain));
    line(drafts.isEmpty() ? "rules: []" : "rules:");
    for (int i = 0; i < drafts.size(); i++) {
      write(drafts.get(i), positionOf(drafts, i + 1));
    }
  }

  private Position positionOf(List<RuleDraft> drafts, int index) {
    if (index == drafts.size()) {
      return Position.END;
    }
    Node place = drafts.get(index).descriptor().place();
    return new Position(files.indexOf(fileOf(place)), Problems.line(place));
  }

  private String fileOf(Node place) {
    return new Problems(files).fileOf(place);
  }

  /** {@code line 3}, with the file if there are several. */
  private String where(String file, int line) {
    return (files.size() == 1 ? "" : printable(file) + ", ") + "line " + line;
  }

  private void write(RuleDraft draft, Position next) {
    Node place = draft.descriptor().place();
    line("  # " + where(fileOf(place), Problems.line(place)) + ": " + printable(draft.toString()));
    remarksBefore(next, "  ");
    line("  - id: " + YamlValues.text(ids.of(draft.path())));
    if (!draft.match().isEmpty()) {
      line("    match: " + YamlValues.match(draft.match()));
    }
    if (!draft.key().isEmpty()) {
      line("    key: " + YamlValues.key(RuleKey.of(draft.key())));
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

  private void remarksBefore(Position position, String indent) {
    while (!remarks.isEmpty() && positionOf(remarks.getFirst()).compareTo(position) < 0) {
      RuleProblem remark = remarks.removeFirst();
      line(
          "%s# %s, warning: %s"
              .formatted(indent, where(remark.file(), remark.line()), remark.message()));
    }
  }

  private Position positionOf(RuleProblem remark) {
    return new Position(files.indexOf(remark.file()), remark.line());
  }

  private static String printable(String path) {
    String quoted = Problems.quote(path);
    return quoted.substring(1, quoted.length() - 1);
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
