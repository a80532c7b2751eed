package io.quotaenforcer.core.match;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A condition on one attribute of a request. */
public sealed interface Matcher {

  /**
   * What a rule means by a text: {@code "*"} any value, {@code "POST *"} a prefix, {@code "*.png"}
   * a wildcard, anything else the value itself.
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

  /** Whether the attribute's value, null when the request has none, meets the condition. */
  boolean matches(@Nullable String value);

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

  /** The attribute is there. */
  record Any() implements Matcher {
    @Override
    public boolean matches(@Nullable String actual) {
      return actual != null;
    }
  }

  /** The attribute is not there. */
  record Absent() implements Matcher {
    @Override
    public boolean matches(@Nullable String actual) {
      return actual == null;
    }
  }

  /**
   * The whole value matches the expression; a value that is longer than a bound, or takes the
   * expression too many steps, never does.
   */
  record Regex(Pattern pattern) implements Matcher {
    /** Longest value that is tried, so that a hostile one cannot hold up a decision for long. */
    public static final int MAX_VALUE_CHARS = 1024;

    /** Longest expression that a rule may have. */
    public static final int MAX_EXPRESSION_CHARS = 200;

    @Override
    public boolean matches(@Nullable String actual) {
      return actual != null
          && actual.length() <= MAX_VALUE_CHARS
          && StepLimitedText.matches(pattern, actual);
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
