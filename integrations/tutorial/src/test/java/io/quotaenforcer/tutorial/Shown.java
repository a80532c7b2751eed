package io.quotaenforcer.tutorial;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** An output as a page shows it: {@code …} stands for anything, white space for any of it. */
record Shown(Pattern pattern) {
  static Shown of(String text) {
    return new Shown(
        Pattern.compile(
            Arrays.stream(text.strip().split("…", -1))
                .map(Shown::literally)
                .collect(Collectors.joining(".*")),
            Pattern.DOTALL));
  }

  private static String literally(String part) {
    return Arrays.stream(part.split("\\s+", -1))
        .map(word -> word.isEmpty() ? "" : Pattern.quote(word))
        .collect(Collectors.joining("\\s*"));
  }

  /** Whether it is the whole output. */
  boolean is(String output) {
    return pattern.matcher(output.strip()).matches();
  }

  /** Whether it is somewhere in the output so far. */
  boolean isIn(String output) {
    return pattern.matcher(output).find();
  }
}
