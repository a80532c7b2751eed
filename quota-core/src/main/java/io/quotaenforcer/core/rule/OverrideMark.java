package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.match.Matcher;
import java.util.TreeMap;

/**
 * Replaces a value that is too long for a quota key where an override by pattern limits it: a hash
 * of the override's conditions. Clients and enforcers of any version find the override by it, so
 * the text that is hashed must never change.
 */
final class OverrideMark {
  private OverrideMark() {}

  static String of(RuleOverride override) {
    StringBuilder text = new StringBuilder("override");
    new TreeMap<>(override.key()).forEach((attribute, matcher) -> append(text, attribute, matcher));
    return QuotaKey.hash(text.toString());
  }

  /** Whether one of its conditions is a pattern or block. */
  static boolean isByPattern(RuleOverride override) {
    return override.key().keySet().stream().anyMatch(it -> isByPattern(override, it));
  }

  /** Whether its condition on an attribute is a pattern or block. */
  static boolean isByPattern(RuleOverride override, String attribute) {
    Matcher matcher = override.key().get(attribute);
    return matcher != null && !(matcher instanceof Matcher.Exact);
  }

  private static void append(StringBuilder text, String attribute, Matcher matcher) {
    text.append('\n').append(attribute).append(' ');
    if (matcher instanceof Matcher.Exact exact) {
      text.append("exact ").append(exact.value());
    } else if (matcher instanceof Matcher.Prefix prefix) {
      text.append("prefix ").append(prefix.prefix());
    } else if (matcher instanceof Matcher.Wildcard wildcard) {
      text.append("wildcard ").append(wildcard.glob());
    } else if (matcher instanceof Matcher.Regex regex) {
      text.append("regex ").append(regex.pattern().pattern());
    } else if (matcher instanceof Matcher.Cidr cidr) {
      text.append("cidr ").append(cidr.block());
    } else {
      throw new IllegalArgumentException("must be a value or a pattern: matcher=" + matcher);
    }
  }
}
