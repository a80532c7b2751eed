package io.quotaenforcer.core.match;

import java.util.ArrayList;
import java.util.List;

/**
 * A text in which each {@code *} matches any characters, including none and {@code /}.
 *
 * <p>Its fixed parts are found from left to right, each at the first place after the previous one,
 * and never searched for again: the cost is at most the length of the value times that of the
 * pattern, however hostile the value.
 */
public final class Glob {
  /** Longest pattern that a rule may have. */
  public static final int MAX_PATTERN_CHARS = 200;

  private final String pattern;
  private final String head;
  private final List<String> middle;
  private final String tail;

  private Glob(String pattern, String head, List<String> middle, String tail) {
    this.pattern = pattern;
    this.head = head;
    this.middle = middle;
    this.tail = tail;
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException when it has no asterisk before its last character, two in a
   *     row, or too many characters
   */
  public static Glob parse(String pattern) {
    if (pattern.length() > MAX_PATTERN_CHARS) {
      throw new IllegalArgumentException(
          "must have at most " + MAX_PATTERN_CHARS + " characters: pattern=" + pattern);
    }
    int first = pattern.indexOf('*');
    if (first < 0 || first == pattern.length() - 1) {
      throw new IllegalArgumentException(
          "must have a \"*\" before its last character: pattern=" + pattern);
    }
    if (pattern.contains("**")) {
      throw new IllegalArgumentException("must not have \"**\": pattern=" + pattern);
    }
    int last = pattern.lastIndexOf('*');
    List<String> middle = new ArrayList<>();
    for (int at = first; at < last; ) {
      int next = pattern.indexOf('*', at + 1);
      middle.add(pattern.substring(at + 1, next));
      at = next;
    }
    return new Glob(
        pattern, pattern.substring(0, first), List.copyOf(middle), pattern.substring(last + 1));
  }

  /** Whether the whole value matches. */
  public boolean matches(String value) {
    if (value.length() < head.length() + tail.length()
        || !value.startsWith(head)
        || !value.endsWith(tail)) {
      return false;
    }
    int at = head.length();
    int end = value.length() - tail.length();
    for (int i = 0; i < middle.size(); i++) {
      String part = middle.get(i);
      int found = value.indexOf(part, at);
      if (found < 0 || found + part.length() > end) {
        return false;
      }
      at = found + part.length();
    }
    return true;
  }

  /** Common prefix of all matching values. */
  String head() {
    return head;
  }

  /** Characters that are not asterisks. */
  public int fixedChars() {
    return pattern.length() - (int) pattern.chars().filter(c -> c == '*').count();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Glob that && pattern.equals(that.pattern);
  }

  @Override
  public int hashCode() {
    return pattern.hashCode();
  }

  /** The pattern. */
  @Override
  public String toString() {
    return pattern;
  }
}
