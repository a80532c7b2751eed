package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A list of steps in ARCHITECTURE.md, each of which opens with the file that it changes. */
final class Walkthrough {
  private static final Pattern STEP = Pattern.compile("(?m)^\\d+\\. \\[`[^`]+`\\]\\(([^)]+)\\)");

  private Walkthrough() {}

  /** The files that the steps change, in their order. */
  static List<String> files(String heading) {
    String text = MarkdownFile.read("ARCHITECTURE.md").text();
    int at = text.indexOf("\n### " + heading + "\n");
    assertThat(at).as("there is a section %s", heading).isNotNegative();
    int end = text.indexOf("\n#", at + 1);
    return STEP.matcher(text.substring(at, end))
        .results()
        .map((MatchResult step) -> step.group(1))
        .toList();
  }
}
