package io.quotaenforcer.rules;

import io.quotaenforcer.core.Suggestions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects the problems of one file, or of several that belong together. */
public final class Problems {
  private static final int MAX_PROBLEMS = 100;
  private static final int MAX_QUOTED_CHARS = 60;

  private final List<String> files;
  // A set: a node behind an alias is read once for each use.
  private final Set<RuleProblem> problems = new LinkedHashSet<>();

  /**
   * For one file.
   *
   * @param file its name for the problems
   */
  public Problems(String file) {
    this(List.of(file));
  }

  /**
   * For files whose nodes know their own file.
   *
   * @param files their names, in the order in which the problems are shown
   */
  public Problems(List<String> files) {
    this.files = List.copyOf(files);
  }

  String file() {
    return files.get(0);
  }

  /** Problems that were found elsewhere. */
  public void addAll(Collection<RuleProblem> others) {
    problems.addAll(others);
  }

  public int count() {
    return problems.size();
  }

  public void at(Node node, String message) {
    problems.add(new RuleProblem(fileOf(node), line(node), column(node), message));
  }

  /** The file that a node is from. */
  public String fileOf(Node node) {
    String name = node.getStartMark().map(Mark::getName).orElse("");
    return files.contains(name) ? name : file();
  }

  void at(Optional<Mark> mark, String message) {
    at(mark.map(Mark::getLine).orElse(0) + 1, mark.map(Mark::getColumn).orElse(0) + 1, message);
  }

  /** Line and column count from 1. */
  void at(int line, int column, String message) {
    problems.add(new RuleProblem(file(), line, column, message));
  }

  /** Reports a word that is not among {@code known}, with the likely intended one. */
  public void unknown(Node node, String what, String word, Collection<String> known) {
    String all = String.join(", ", known);
    String message =
        Suggestions.nearest(word, known)
            .map(near -> "; did you mean \"" + near + "\"? (one of " + all + ")")
            .orElse("; use one of " + all);
    at(node, "unknown " + what + " " + quote(word) + message);
  }

  /** Reports a word of an override that differs from its rule's. */
  void mustBeAsInRule(Node node, String what, String actual, String expected) {
    at(
        node,
        "%s of an override must be that of the rule, not %s; use %s, or leave it out"
            .formatted(what, actual, expected));
  }

  /** The first {@value #MAX_PROBLEMS} in the order of the file, and the number of others. */
  public List<RuleProblem> inOrder() {
    List<RuleProblem> ordered = new ArrayList<>(problems);
    ordered.sort(
        Comparator.comparingInt((RuleProblem problem) -> files.indexOf(problem.file()))
            .thenComparingInt(RuleProblem::line)
            .thenComparingInt(RuleProblem::column));
    if (ordered.size() <= MAX_PROBLEMS) {
      return ordered;
    }
    RuleProblem next = ordered.get(MAX_PROBLEMS);
    int more = ordered.size() - MAX_PROBLEMS;
    List<RuleProblem> first = new ArrayList<>(ordered.subList(0, MAX_PROBLEMS));
    first.add(
        new RuleProblem(next.file(), next.line(), next.column(), "and " + more + " more problems"));
    return first;
  }

  /** Where a node begins, counted from 1. */
  public static int line(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }

  private static int column(Node node) {
    return node.getStartMark().map(Mark::getColumn).orElse(0) + 1;
  }

  /** The text in quotes, on one line and not too long. */
  public static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    int[] codePoints = text.codePoints().limit(MAX_QUOTED_CHARS + 1L).toArray();
    for (int i = 0; i < Math.min(codePoints.length, MAX_QUOTED_CHARS); i++) {
      int c = codePoints[i];
      boolean visible = !Character.isISOControl(c) && Character.getType(c) != Character.SURROGATE;
      if (visible) {
        quoted.appendCodePoint(c);
      } else {
        quoted.append(String.format("\\u%04x", c));
      }
    }
    return quoted.append(codePoints.length > MAX_QUOTED_CHARS ? "…\"" : "\"").toString();
  }
}
