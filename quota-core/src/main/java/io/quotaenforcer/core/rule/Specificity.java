package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.match.Matcher;
import java.util.Comparator;

/**
 * How closely an override names the quota keys that it is for.
 *
 * @param attributes that it has conditions on
 * @param exact conditions that name one value
 * @param length of its prefixes and patterns in characters, and of its blocks in bits
 */
record Specificity(int attributes, int exact, int length) implements Comparable<Specificity> {
  private static final Comparator<Specificity> MOST_FIRST =
      Comparator.comparingInt(Specificity::attributes)
          .thenComparingInt(Specificity::exact)
          .thenComparingInt(Specificity::length)
          .reversed();

  static Specificity of(RuleOverride override) {
    int exact = 0;
    int length = 0;
    for (Matcher matcher : override.key().values()) {
      if (matcher instanceof Matcher.Exact) {
        exact++;
      } else if (matcher instanceof Matcher.Prefix prefix) {
        length += prefix.prefix().length();
      } else if (matcher instanceof Matcher.Wildcard wildcard) {
        length += wildcard.glob().fixedChars();
      } else if (matcher instanceof Matcher.Cidr cidr) {
        length += cidr.block().length();
      }
    }
    return new Specificity(override.key().size(), exact, length);
  }

  /** The most specific comes first. */
  @Override
  public int compareTo(Specificity other) {
    return MOST_FIRST.compare(this, other);
  }
}
