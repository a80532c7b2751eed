package io.quotaenforcer.tutorial;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The steps of a page, in order. */
final class Tutorial {
  private static final Pattern PART =
      Pattern.compile("(?ms)^## (?<heading>.+?)$|^```(?<language>\\w*)\\n(?<content>.*?)^```$");
  private static final String OWN_TERMINAL = "terminal of its own";

  private Tutorial() {}

  /** Something to do. */
  sealed interface Step {
    /** A new part of the page. */
    record Heading(String text) implements Step {}

    /**
     * Commands to type.
     *
     * @param stays whether they go on, in a terminal of their own
     */
    record Type(String commands, boolean stays) implements Step {}

    /**
     * Text that must be seen: after what was typed last, or, for a second one, in the terminal that
     * was opened last.
     */
    record See(String text, boolean inOwnTerminal) implements Step {}
  }

  static List<Step> steps(String page) {
    List<Step> steps = new ArrayList<>();
    int before = 0;
    for (MatchResult part : PART.matcher(page).results().toList()) {
      String language = part.group(2);
      if (language == null) {
        steps.add(new Step.Heading(part.group(1)));
      } else {
        String said = page.substring(before, part.start());
        steps.add(step(language, part.group(3), said, steps));
      }
      before = part.end();
    }
    return List.copyOf(steps);
  }

  private static Step step(String language, String content, String said, List<Step> before) {
    return switch (language) {
      case "sh" -> new Step.Type(content, said.contains(OWN_TERMINAL));
      case "text" ->
          new Step.See(
              content,
              before.get(before.size() - 1) instanceof Step.See
                  || (before.get(before.size() - 1) instanceof Step.Type typed && typed.stays()));
      default -> throw new IllegalArgumentException("must be sh or text: " + language);
    };
  }
}
