package io.quotaenforcer.rules;

import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The requests that a rule applies to, in plain words. */
final class MatchWords {
  private MatchWords() {}

  static String matches(Rule rule) {
    String conditions =
        new TreeMap<>(rule.match())
            .entrySet().stream().map(MatchWords::condition).collect(Collectors.joining(" and "));
    String which = conditions.isEmpty() ? "every request" : "requests where " + conditions;
    if (rule.key().isEmpty()) {
      return which;
    }
    String missing = conditions.isEmpty() ? "that has " : ", if they have ";
    return which + (conditions.isEmpty() ? " " : "") + missing + all(rule.key().names());
  }

  static String key(Rule rule) {
    if (rule.key().isEmpty()) {
      return "nothing: one limit for all of them together";
    }
    List<String> parts = rule.key().attributes().stream().map(MatchWords::part).toList();
    return parts.size() == 1
        ? parts.get(0) + ": each value has a limit of its own"
        : all(parts) + ": each combination of their values has a limit of its own";
  }

  /** The attribute, and the part of it that counts. */
  static String part(KeyAttribute attribute) {
    if (attribute.isHashed()) {
      return attribute.name() + " (its keyed hash)";
    }
    return attribute.name()
        + attribute
            .cut()
            .map(cut -> " (/%d of IPv4, /%d of IPv6)".formatted(cut.ipv4Prefix(), cut.ipv6Prefix()))
            .orElse("");
  }

  /** The treatment of values that the rule hashes. */
  static String hashed(Rule rule) {
    List<String> names = new ArrayList<>(new TreeSet<>(rule.key().hashed()));
    return "values of %s leave a service as keyed hashes only, so that nobody reads them in Kafka, in stores or in logs. A client without the keys (hash.keys.file, hash.keys) %s; a request event that has a value in the clear is not counted, and becomes a dead letter without it"
        .formatted(
            all(names),
            rule.enforcement() == Enforcement.STRICT
                ? "refuses what the rule is for"
                : "does not limit by the rule, and refuses or admits by before.rules");
  }

  private static String all(List<String> attributes) {
    int last = attributes.size() - 1;
    return last == 0
        ? attributes.get(0)
        : String.join(", ", attributes.subList(0, last)) + " and " + attributes.get(last);
  }

  private static String condition(Map.Entry<String, Matcher> condition) {
    return condition(condition.getKey(), condition.getValue());
  }

  static String condition(String attribute, Matcher matcher) {
    if (matcher instanceof Matcher.Exact exact) {
      return attribute + " is " + quoted(exact.value());
    }
    if (matcher instanceof Matcher.Prefix prefix) {
      return attribute + " begins with " + quoted(prefix.prefix());
    }
    if (matcher instanceof Matcher.Wildcard wildcard) {
      return attribute + " is of the form " + quoted(wildcard.glob().toString());
    }
    if (matcher instanceof Matcher.Regex regex) {
      return attribute + " matches the expression " + quoted(regex.pattern().pattern());
    }
    if (matcher instanceof Matcher.Cidr cidr) {
      return attribute + " is an address in " + cidr.block();
    }
    return attribute + (matcher instanceof Matcher.Absent ? " is missing" : " is there");
  }

  static String quoted(String text) {
    return '"' + text + '"';
  }
}
