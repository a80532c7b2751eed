package io.quotaenforcer.core.match;

import org.jspecify.annotations.Nullable;

/**
 * The part of a condition that can be looked up instead of tried: equal anchors are looked up once.
 * {@code absent} has none.
 */
sealed interface Anchor {

  String attribute();

  /** The attribute has this value. */
  record Value(String attribute, String value) implements Anchor {}

  /** The attribute's value begins so. */
  record Head(String attribute, String prefix) implements Anchor {}

  /** The attribute's value is an address of this network. */
  record Block(String attribute, IpNetwork network) implements Anchor {}

  /** The attribute is there. */
  record Presence(String attribute) implements Anchor {}

  /** Null for a condition that can only be tried. */
  static @Nullable Anchor of(Condition condition) {
    String attribute = condition.attribute();
    Matcher matcher = condition.matcher();
    if (matcher instanceof Matcher.Exact exact) {
      return new Value(attribute, exact.value());
    }
    if (matcher instanceof Matcher.Prefix prefix) {
      return head(attribute, prefix.prefix());
    }
    if (matcher instanceof Matcher.Wildcard wildcard) {
      return head(attribute, wildcard.glob().head());
    }
    if (matcher instanceof Matcher.Regex regex) {
      return head(attribute, RegexHead.of(regex.pattern()));
    }
    if (matcher instanceof Matcher.Cidr cidr) {
      return new Block(attribute, cidr.block().network());
    }
    return matcher instanceof Matcher.Absent ? null : new Presence(attribute);
  }

  /** Whether finding a condition's anchor means that the condition holds. */
  static boolean says(Condition condition) {
    return !(condition.matcher() instanceof Matcher.Wildcard)
        && !(condition.matcher() instanceof Matcher.Regex);
  }

  private static Anchor head(String attribute, String prefix) {
    return prefix.isEmpty() ? new Presence(attribute) : new Head(attribute, prefix);
  }
}
