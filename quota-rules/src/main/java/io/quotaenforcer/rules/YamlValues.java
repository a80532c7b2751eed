package io.quotaenforcer.rules;

import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.RuleKey;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes values in the form of rule files. */
public final class YamlValues {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_./-]*");

  /** Words that some YAML reader does not take for text. */
  private static final Set<String> NOT_TEXT =
      Set.of("null", "true", "false", "yes", "no", "on", "off", "y", "n");

  private YamlValues() {}

  /** {@code [user, {attribute: ip, ipv4-prefix: 24, ipv6-prefix: 64}]}. */
  public static String key(RuleKey key) {
    return key.attributes().stream()
        .map(YamlValues::attribute)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String attribute(KeyAttribute attribute) {
    String name = text(attribute.name());
    if (attribute.isHashed()) {
      return "{attribute: %s, hash: true}".formatted(name);
    }
    return attribute
        .cut()
        .map(
            cut ->
                "{attribute: %s, ipv4-prefix: %d, ipv6-prefix: %d}"
                    .formatted(name, cut.ipv4Prefix(), cut.ipv6Prefix()))
        .orElse(name);
  }

  /** {@code {api: "POST /posts"}}. */
  public static String match(Map<String, Matcher> match) {
    return new TreeMap<>(match)
        .entrySet().stream()
            .map(entry -> text(entry.getKey()) + ": " + matcher(entry.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String matcher(Matcher matcher) {
    if (matcher instanceof Matcher.Exact exact) {
      // A star would be read as the end of a prefix.
      return exact.value().indexOf('*') < 0
          ? text(exact.value())
          : "{regex: " + text(Pattern.quote(exact.value())) + "}";
    }
    if (matcher instanceof Matcher.Prefix prefix) {
      return prefix.prefix().indexOf('*') < 0
          ? text(prefix.prefix() + "*")
          : "{regex: " + text("(?s)" + Pattern.quote(prefix.prefix()) + ".*") + "}";
    }
    if (matcher instanceof Matcher.Wildcard wildcard) {
      return text(wildcard.glob().toString());
    }
    if (matcher instanceof Matcher.Regex regex) {
      return "{regex: " + text(regex.pattern().pattern()) + "}";
    }
    if (matcher instanceof Matcher.Cidr cidr) {
      return "{cidr: " + text(cidr.block().toString()) + "}";
    }
    return matcher instanceof Matcher.Absent ? "{absent: true}" : "\"*\"";
  }

  /** A text, in quotes where it needs them. */
  public static String text(String text) {
    boolean plain =
        PLAIN.matcher(text).matches() && !NOT_TEXT.contains(text.toLowerCase(Locale.ROOT));
    return plain ? text : quoted(text);
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
              } else if ((c >= ' ' && c < 0x7f) || Character.isLetterOrDigit(c)) {
                quoted.appendCodePoint(c);
              } else {
                quoted.append(String.format(c < 0x10000 ? "\\u%04X" : "\\U%08X", c));
              }
            });
    return quoted.append('"').toString();
  }
}
