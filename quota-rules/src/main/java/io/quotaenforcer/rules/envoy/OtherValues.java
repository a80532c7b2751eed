package io.quotaenforcer.rules.envoy;

import static java.util.stream.Collectors.joining;

import io.quotaenforcer.core.match.Matcher;
import java.util.Collection;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Conditions that leave values out. */
final class OtherValues {
  /** Texts that a regular expression matches literally. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9 _/:@=,~-]*");

  private OtherValues() {}

  /**
   * All values of a matcher except those of the descriptors; empty if that is too long for a rule.
   *
   * @param one any, a prefix or a wildcard
   */
  static Optional<Matcher> of(Matcher one, Collection<Descriptor> others) {
    String prefix = one instanceof Matcher.Prefix begins ? begins.prefix() : "";
    boolean within =
        !(one instanceof Matcher.Wildcard)
            && others.stream().allMatch(other -> head(other.value()).startsWith(prefix));
    String before = within ? prefix : "";
    String left =
        others.stream()
            .map(other -> expression(other.value(), before.length()) + end(other.value()))
            .collect(joining("|"));
    String rest = within ? ".*" : expression(one, 0) + (one instanceof Matcher.Prefix ? ".*" : "");
    String expression = "(?s)" + quoted(before) + "(?!" + left + ")" + rest;
    return expression.length() > Matcher.Regex.MAX_EXPRESSION_CHARS
        ? Optional.empty()
        : Optional.of(new Matcher.Regex(Pattern.compile(expression)));
  }

  /** Common prefix of its values. */
  private static String head(Matcher value) {
    String text = Values.text(value);
    int star = value instanceof Matcher.Exact ? -1 : text.indexOf('*');
    return star < 0 ? text : text.substring(0, star);
  }

  /** Regular expression for a value from a character on, without a trailing "any". */
  private static String expression(Matcher value, int from) {
    String text = Values.text(value).substring(from);
    if (value instanceof Matcher.Exact) {
      return quoted(text);
    }
    String pattern = value instanceof Matcher.Prefix ? text.substring(0, text.length() - 1) : text;
    return Stream.of(pattern.split("\\*", -1)).map(OtherValues::quoted).collect(joining(".*"));
  }

  private static String end(Matcher value) {
    return value instanceof Matcher.Prefix ? "" : "\\z";
  }

  private static String quoted(String text) {
    return PLAIN.matcher(text).matches() ? text : Pattern.quote(text);
  }
}
