package io.quotaenforcer.cli;

import io.quotaenforcer.rules.RuleDiffText;
import io.quotaenforcer.rules.RuleExplanation;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.util.List;

/** Explanations of rules, wrapped for a terminal. */
record ExplanationText(PrintWriter out) {
  private static final int LABEL = 15;
  private static final int WIDTH = 100;
  private static final String INDENT = "  ";

  void print(List<RuleExplanation> explained) {
    String between = "";
    for (RuleExplanation one : explained) {
      out.print(between);
      String most = " (at most %s)".formatted(Counted.of(one.maxInstances(), "instance"));
      print(one.rule().id() + ": " + RuleDiffText.summary(one.rule()) + most, one.lines());
      one.warnings().forEach(warning -> print("warning", warning));
      between = System.lineSeparator();
    }
  }

  /** A title, with its text below. */
  void print(String title, List<RuleExplanation.Line> lines) {
    out.println(Printable.line(title));
    lines.forEach(line -> print(line.label(), line.text()));
  }

  private void print(String label, String text) {
    StringBuilder line = new StringBuilder(INDENT + label);
    int start = INDENT.length() + LABEL;
    pad(line, start);
    for (String word : Printable.line(text).split(" ", -1)) {
      if (line.length() > start && line.length() + 1 + word.length() > WIDTH) {
        out.println(line);
        line.setLength(0);
        pad(line, start);
      }
      line.append(line.length() > start ? " " : "").append(word);
    }
    out.println(line);
  }

  private static void pad(StringBuilder line, int length) {
    line.append(" ".repeat(length - line.length()));
  }
}
