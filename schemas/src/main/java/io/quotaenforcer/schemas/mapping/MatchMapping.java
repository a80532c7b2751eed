package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.match.CidrBlock;
import io.quotaenforcer.core.match.Glob;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.schemas.AttributeMatch;
import io.quotaenforcer.schemas.MatchKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Conditions on attributes, to and from the wire. */
final class MatchMapping {
  private MatchMapping() {}

  /** Ordered by attribute, so that the same rule is always the same record. */
  static List<AttributeMatch> toRecords(Map<String, Matcher> match) {
    return new TreeMap<>(match)
        .entrySet().stream().map(entry -> toRecord(entry.getKey(), entry.getValue())).toList();
  }

  static Map<String, Matcher> fromRecords(List<AttributeMatch> records, String field) {
    Map<String, Matcher> match = new HashMap<>();
    for (AttributeMatch record : records) {
      String attribute = Fields.required(record.attribute(), field + ".attribute");
      Matcher before = match.put(attribute, fromRecord(record, field + "." + attribute));
      Fields.check(before == null, "must be different attributes", field + ".attribute", attribute);
    }
    return match;
  }

  private static AttributeMatch toRecord(String attribute, Matcher matcher) {
    if (matcher instanceof Matcher.Exact exact) {
      return new AttributeMatch(attribute, MatchKind.EXACT, exact.value());
    }
    if (matcher instanceof Matcher.Prefix prefix) {
      return new AttributeMatch(attribute, MatchKind.PREFIX, prefix.prefix());
    }
    if (matcher instanceof Matcher.Wildcard wildcard) {
      return new AttributeMatch(attribute, MatchKind.WILDCARD, wildcard.glob().toString());
    }
    if (matcher instanceof Matcher.Regex regex) {
      return new AttributeMatch(attribute, MatchKind.REGEX, regex.pattern().pattern());
    }
    if (matcher instanceof Matcher.Cidr cidr) {
      return new AttributeMatch(attribute, MatchKind.CIDR, cidr.block().toString());
    }
    MatchKind kind = matcher instanceof Matcher.Any ? MatchKind.ANY : MatchKind.ABSENT;
    return new AttributeMatch(attribute, kind, "");
  }

  private static Matcher fromRecord(AttributeMatch record, String field) {
    MatchKind kind = Fields.required(record.kind(), field + ".kind");
    String value = Fields.required(record.value(), field + ".value");
    return switch (kind) {
      case EXACT -> new Matcher.Exact(value);
      case PREFIX -> new Matcher.Prefix(value);
      case ANY -> new Matcher.Any();
      case ABSENT -> new Matcher.Absent();
      case REGEX -> regex(value, field + ".value");
      case WILDCARD -> Fields.read(field + ".value", () -> new Matcher.Wildcard(Glob.parse(value)));
      case CIDR -> Fields.read(field + ".value", () -> new Matcher.Cidr(CidrBlock.parse(value)));
      case HASHED -> throw new IllegalArgumentException("must not be HASHED: " + field + ".kind");
    };
  }

  private static Matcher regex(String expression, String field) {
    Fields.check(
        expression.length() <= Matcher.Regex.MAX_EXPRESSION_CHARS,
        "must have at most " + Matcher.Regex.MAX_EXPRESSION_CHARS + " characters",
        field,
        expression);
    return Fields.read(field, () -> new Matcher.Regex(Pattern.compile(expression)));
  }
}
