package io.quotaenforcer.core.match;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A condition on one attribute of a request. */
public sealed interface Matcher {

  /**
   * A rule's text as a matcher: {@code "*"} any value, {@code "POST *"} a prefix, {@code "*.png"} a
   * wildcard, anything else the value itself.
   *
   * @throws IllegalArgumentException as {@link Glob#parse} does
   */
  static Matcher ofText(String text) {
    int star = text.indexOf('*');
    if (star < 0) {
      return new Exact(text);
    }
    if (text.length() == 1) {
      return new Any();
    }
    return star == text.length() - 1
        ? new Prefix(text.substring(0, star))
        : new Wildcard(Glob.parse(text));
  }

  /**
   * Whether the attribute's value, null if the request has none, meets the condition, or may: an
   * undecidable test counts as met, so that no awkward value slips past a rule.
   */
  boolean matches(@Nullable String value);

  /** Whether the value meets the condition, or the test was given up. */
  default Answer test(@Nullable String value) {
    return Answer.of(matches(value));
  }

  /** The value is equal. */
  record Exact(String value) implements Matcher {
    @Override
    public boolean matches(@Nullable String actual) {
      return value.equals(actual);
    }
  }

  /** The value begins with the prefix. */
  record Prefix(String prefix) implements Matcher {
    @Override
    public boolean matches(@Nullable String actual) {
      return actual != null && actual.startsWith(prefix);
    }
  }

  /** The whole value has the form of a pattern with asterisks. */
  record Wildcard(Glob glob) implements Matcher {
    @Override
    public boolean matches(@Nullable String actual) {
      return actual != null && glob.matches(actual);
    }
  }

  /** The attribute is present. */
  record Any() implements Matcher {
    @Override
    public boolean matches(@Nullable String actual) {
      return actual != null;
    }
  }

  /** The attribute is absent. */
  record Absent() implements Matcher {
    @Override
    public boolean matches(@Nullable String actual) {
      return actual == null;
    }
  }

  /**
   * The whole value matches the expression. A value that is longer than a bound, or takes the
   * expression too many steps, is {@linkplain Answer#GIVEN_UP given up}, unless its beginning
   * already rules out a match.
   */
  record Regex(Pattern pattern) implements Matcher {
    /** Longest value that is tried: as much as servers take of a request's line. */
    public static final int MAX_VALUE_CHARS = 8_192;

    /** Longest regex of a rule. */
    public static final int MAX_EXPRESSION_CHARS = 200;

    @Override
    public boolean matches(@Nullable String actual) {
      return test(actual) != Answer.NO;
    }

    @Override
    public Answer test(@Nullable String actual) {
      if (actual == null) {
        return Answer.NO;
      }
      Answer answer =
          actual.length() > MAX_VALUE_CHARS
              ? Answer.GIVEN_UP
              : StepLimitedText.test(pattern, actual);
      return answer == Answer.GIVEN_UP && !actual.startsWith(RegexHead.of(pattern))
          ? Answer.NO
          : answer;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Regex that && pattern.pattern().equals(that.pattern.pattern());
    }

    @Override
    public int hashCode() {
      return pattern.pattern().hashCode();
    }
  }

  /** The value is an IP address, or a network of them, in the block. */
  record Cidr(CidrBlock block) implements Matcher {
    @Override
    public boolean matches(@Nullable String actual) {
      return actual != null && block.contains(actual);
    }
  }
}
