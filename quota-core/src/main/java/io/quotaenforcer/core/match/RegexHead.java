package io.quotaenforcer.core.match;

import java.util.regex.Pattern;

/** The literal beginning shared by all texts that an expression matches as a whole. */
final class RegexHead {
  private static final String SPECIAL = "\\[](){}.*+?^$|";
  private static final String MAY_REPEAT = "*+?{";

  private RegexHead() {}

  /** The plain characters that the expression begins with; empty where it may go several ways. */
  static String of(Pattern pattern) {
    String expression = pattern.pattern();
    if (pattern.flags() != 0 || expression.indexOf('|') >= 0) {
      return "";
    }
    int end = 0;
    while (end < expression.length() && SPECIAL.indexOf(expression.charAt(end)) < 0) {
      end++;
    }
    boolean lastRepeats =
        end < expression.length() && MAY_REPEAT.indexOf(expression.charAt(end)) >= 0;
    // Half of a surrogate pair is no character to repeat: leave out what may belong to it.
    while (lastRepeats && end > 0 && Character.isSurrogate(expression.charAt(end - 1))) {
      end--;
    }
    return expression.substring(0, lastRepeats && end > 0 ? end - 1 : end);
  }
}
