package io.quotaenforcer.enforcer.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Texts that people might write, with lines lost, doubled and moved, and words put in their place.
 */
public final class ExtremeText {
  private static final int MOST_CHANGES = 4;

  private static final List<String> WORDS =
      List.of(
          "",
          " ",
          "\t",
          "null",
          "~",
          "-1",
          "0",
          "9223372036854775808",
          "1e999",
          "0x7f",
          "NaN",
          "1s",
          "999999999999d",
          "true",
          "[]",
          "{}",
          "[[[[",
          "{a: {b: {c: 1}}}",
          "&a [*a, *a]",
          "*a",
          "!!java.io.File x",
          "|",
          "? :",
          "'",
          "\"",
          "%",
          "\u0000",
          "\ufeff",
          "\u202e\ud83d\ude00",
          "(a+)+$",
          "x".repeat(3_000),
          "permits",
          "limit",
          "key",
          "token-bucket",
          "domain",
          "rules",
          "overrides",
          "[19/Nov/2026:23:59:60 +9999]",
          "\"GET / HTTP/1.1\"");

  private final SplittableRandom random;

  public ExtremeText(long seed) {
    random = new SplittableRandom(seed);
  }

  /** The text with something wrong. */
  public String next(String text) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    for (int i = 1 + random.nextInt(MOST_CHANGES); i > 0 && !lines.isEmpty(); i--) {
      change(lines, random.nextInt(lines.size()));
    }
    return String.join("\n", lines) + "\n";
  }

  private void change(List<String> lines, int at) {
    String line = lines.get(at);
    switch (random.nextInt(7)) {
      case 0 -> lines.remove(at);
      case 1 -> lines.add(at, line);
      case 2 -> lines.add(random.nextInt(lines.size()), lines.remove(at));
      case 3 -> lines.set(at, "  ".repeat(random.nextInt(3)) + line.strip());
      case 4 -> lines.set(at, line.substring(0, random.nextInt(line.length() + 1)));
      case 5 -> lines.add(at, word());
      default -> lines.set(at, withAnotherWord(line));
    }
  }

  private String withAnotherWord(String line) {
    String[] words = line.split("(?<=[ :,\\[\\]{}])");
    words[random.nextInt(words.length)] = word();
    return String.join("", words);
  }

  private String word() {
    return WORDS.get(random.nextInt(WORDS.size()));
  }
}
