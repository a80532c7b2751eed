package io.quotaenforcer.cli.envoy;

import io.quotaenforcer.core.match.Matcher;

/**
 * How the values of descriptors stand to each other; each is any, exact, a prefix or a wildcard.
 */
final class Values {
  /** Stands for what an asterisk of a pattern stands for; no configuration has it. */
  private static final char ANYTHING = '\uffff';

  private Values() {}

  /** As a configuration has it; empty for any. */
  static String text(Matcher value) {
    if (value instanceof Matcher.Exact exact) {
      return exact.value();
    }
    if (value instanceof Matcher.Prefix prefix) {
      return prefix.prefix() + "*";
    }
    return value instanceof Matcher.Wildcard wildcard ? wildcard.glob().toString() : "";
  }

  /** Whether every text that {@code narrow} stands for is one that {@code wide} stands for. */
  static boolean covers(Matcher wide, Matcher narrow) {
    return wide.matches(pattern(narrow).replace('*', ANYTHING));
  }

  /** Whether there is a text that both stand for. */
  static boolean overlap(Matcher one, Matcher other) {
    String a = pattern(one);
    String b = pattern(other);
    // As far as neither has an asterisk they must be the same, from both ends.
    int starA = a.indexOf('*');
    int starB = b.indexOf('*');
    if (starA < 0 || starB < 0) {
      return starA < 0 ? other.matches(a) : one.matches(b);
    }
    int head = Math.min(starA, starB);
    int tail = Math.min(a.length() - a.lastIndexOf('*'), b.length() - b.lastIndexOf('*')) - 1;
    return a.regionMatches(0, b, 0, head)
        && a.regionMatches(a.length() - tail, b, b.length() - tail, tail);
  }

  /** With an asterisk for any characters, none included. */
  private static String pattern(Matcher value) {
    return value instanceof Matcher.Any ? "*" : text(value);
  }
}
