package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.match.Matcher;

/** Relations between the values of descriptors; each is any, exact, a prefix or a wildcard. */
final class Values {
  /** Represents the text that matches an asterisk of a pattern; occurs in no configuration. */
  private static final char ANYTHING = '\uffff';

  private Values() {}

  /** The value as a configuration writes it; empty for any. */
  static String text(Matcher value) {
    if (value instanceof Matcher.Exact exact) {
      return exact.value();
    }
    if (value instanceof Matcher.Prefix prefix) {
      return prefix.prefix() + "*";
    }
    return value instanceof Matcher.Wildcard wildcard ? wildcard.glob().toString() : "";
  }

  /** Whether {@code wide} matches every text that {@code narrow} matches. */
  static boolean covers(Matcher wide, Matcher narrow) {
    return wide.matches(pattern(narrow).replace('*', ANYTHING));
  }

  /** Whether some text matches both. */
  static boolean overlap(Matcher one, Matcher other) {
    String a = pattern(one);
    String b = pattern(other);
    // Up to the first asterisk of either they must agree, from both ends.
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

  /** With an asterisk for any characters, including none. */
  private static String pattern(Matcher value) {
    return value instanceof Matcher.Any ? "*" : text(value);
  }
}
