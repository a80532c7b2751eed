package io.quotaenforcer.rules;

import io.quotaenforcer.core.match.CidrBlock;
import io.quotaenforcer.core.match.Glob;
import io.quotaenforcer.core.match.Matcher;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads {@code {api: "POST *", ip: {cidr: 10.0.0.0/8}}}. */
record MatchReader(Problems problems, Scalars scalars) {
  private static final List<String> KINDS = List.of("regex", "cidr", "absent");

  MatchReader(Problems problems) {
    this(problems, new Scalars(problems));
  }

  Map<String, Matcher> read(Node node) {
    return read(node, "match", "{api: \"POST /posts\"}");
  }

  /**
   * Like {@link #read(Node)}, of conditions of another name.
   *
   * @param example of them
   */
  Map<String, Matcher> read(Node node, String name, String example) {
    Fields fields =
        Fields.of(node, "%s must be a mapping such as %s".formatted(name, example), problems);
    if (fields == null) {
      return Map.of();
    }
    Map<String, Matcher> match = new HashMap<>();
    fields
        .all()
        .forEach(
            (attribute, field) -> {
              Attributes.check(field.key(), attribute, problems);
              Matcher matcher = condition(field.value(), attribute);
              if (matcher != null) {
                match.put(attribute, matcher);
              }
            });
    return match;
  }

  /** A condition on one attribute; null if it is wrong, which is reported. */
  @Nullable Matcher condition(Node node, String attribute) {
    if (node instanceof MappingNode) {
      return special(node, attribute);
    }
    String text = scalars.text(node, "the value of " + Problems.quote(attribute));
    return text == null ? null : plain(node, text);
  }

  private @Nullable Matcher plain(Node node, String text) {
    try {
      return Matcher.ofText(text);
    } catch (IllegalArgumentException e) {
      problems.at(
          node,
          text.length() > Glob.MAX_PATTERN_CHARS
              ? "a value with \"*\" must have at most "
                  + Glob.MAX_PATTERN_CHARS
                  + " characters, not "
                  + text.length()
                  + "; shorten it"
              : "\"**\" in "
                  + Problems.quote(text)
                  + " says no more than \"*\", which stands for any characters, \"/\" too; write"
                  + " one");
      return null;
    }
  }

  private @Nullable Matcher special(Node node, String attribute) {
    Fields fields = Fields.of(node, "a condition must be a mapping", problems);
    if (fields == null) {
      return null;
    }
    if (fields.all().size() != 1) {
      problems.at(
          node,
          "the condition on %s must have one key, not %s; use one of %s"
              .formatted(Problems.quote(attribute), fields.all().size(), String.join(", ", KINDS)));
    }
    fields.only(KINDS);
    Node regex = fields.optional("regex");
    Node cidr = fields.optional("cidr");
    Node absent = fields.optional("absent");
    Matcher fromRegex = regex == null ? null : regex(regex);
    Matcher fromCidr = cidr == null ? null : cidr(cidr);
    Matcher fromAbsent = absent == null ? null : absent(absent);
    return fromRegex != null ? fromRegex : fromCidr != null ? fromCidr : fromAbsent;
  }

  private @Nullable Matcher regex(Node node) {
    String expression = scalars.text(node, "regex");
    if (expression == null) {
      return null;
    }
    if (expression.length() > Matcher.Regex.MAX_EXPRESSION_CHARS) {
      problems.at(
          node,
          "regex must have at most %s characters, not %s; split the rule"
              .formatted(Matcher.Regex.MAX_EXPRESSION_CHARS, expression.length()));
      return null;
    }
    try {
      return new Matcher.Regex(Pattern.compile(expression));
    } catch (PatternSyntaxException e) {
      String where = e.getIndex() < 0 ? "" : " at character " + (e.getIndex() + 1);
      problems.at(
          node,
          "regex %s is broken%s: %s; use the syntax of java.util.regex"
              .formatted(Problems.quote(expression), where, e.getDescription()));
      return null;
    }
  }

  private @Nullable Matcher cidr(Node node) {
    String block = scalars.text(node, "cidr");
    if (block == null) {
      return null;
    }
    try {
      return new Matcher.Cidr(CidrBlock.parse(block));
    } catch (IllegalArgumentException e) {
      String reason = String.valueOf(e.getMessage());
      int value = reason.indexOf(": cidr=");
      problems.at(
          node,
          "cidr %s %s; use a block such as 10.0.0.0/8 or 2001:db8::/32"
              .formatted(Problems.quote(block), value < 0 ? reason : reason.substring(0, value)));
      return null;
    }
  }

  private @Nullable Matcher absent(Node node) {
    return scalars.isTrue(node, "absent", "to require the attribute write \"*\"")
        ? new Matcher.Absent()
        : null;
  }
}
