package io.quotaenforcer.enforcer.envoy;

import io.quotaenforcer.core.match.Matcher;
import java.util.Collection;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Conditions that leave values out. */
final class OtherValues {
  /** What a regular expression reads the same as a text does. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9 _/:@=,~-]*");

  private OtherValues() {}

  /**
   * All values that begin with a prefix, but for those of the descriptors; empty when that is too
   * long for a rule.
   *
   * @param prefix may be empty
   * @param others each with a value, or a prefix, that begins with it
   */
  static Optional<Matcher> of(String prefix, Collection<Descriptor> others) {
    String left =
        others.stream()
            .map(other -> quoted(rest(other.value(), prefix)) + end(other.value()))
            .collect(Collectors.joining("|"));
    String expression = "(?s)" + quoted(prefix) + "(?!" + left + ").*";
    return expression.length() > Matcher.Regex.MAX_EXPRESSION_CHARS
        ? Optional.empty()
        : Optional.of(new Matcher.Regex(Pattern.compile(expression)));
  }

  private static String rest(Matcher value, String prefix) {
    String text =
        value instanceof Matcher.Exact exact ? exact.value() : ((Matcher.Prefix) value).prefix();
    return text.substring(prefix.length());
  }

  private static String end(Matcher value) {
    return value instanceof Matcher.Exact ? "\\z" : "";
  }

  private static String quoted(String text) {
    return PLAIN.matcher(text).matches() ? text : Pattern.quote(text);
  }
}
