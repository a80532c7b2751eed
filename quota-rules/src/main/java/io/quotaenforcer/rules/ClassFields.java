package io.quotaenforcer.rules;

import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.rules.RuleField.Reading;
import io.quotaenforcer.rules.Spelling.Doc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** The classes of a rule's requests, as a rule file has them. */
final class ClassFields {
  private static final String NAME = "name";
  private static final String MATCH = "match";
  private static final String RESERVE = "reserve";
  private static final String UP_TO = "up-to";
  private static final List<String> KEYS = List.of(NAME, MATCH, RESERVE, UP_TO);

  static final List<Doc> DOCS =
      List.of(
          new Doc(
              "`classes`",
              "2 to 8 [classes of requests](#classes-of-requests), in the order in which they are"
                  + " served while the limit is scarce; not with `limit.concurrent`",
              "all requests are alike"),
          new Doc("`classes.name`", "1 to 100 of `A-Z a-z 0-9 . _ -`", "required"),
          new Doc(
              "`classes.match`",
              "conditions as of the rule; a request is of the first class whose conditions hold",
              "requests of no other class"),
          new Doc(
              "`classes.reserve`",
              "`0%` to `100%` of the limit that the classes below cannot take; not of the last",
              "`0%`"),
          new Doc(
              "`classes.up-to`",
              "`0.01%` to `100%`: once this much of the limit is used, by whichever class, this one"
                  + " gets no more",
              "`100%`"));

  private ClassFields() {}

  /** Reads the classes of a rule; null if they are wrong, which is reported. */
  static @Nullable DemandClasses read(Reading reading, Node node) {
    Problems problems = reading.problems();
    List<Node> items =
        Fields.items(node, "classes must be a list such as [{name: critical, ...}]", problems);
    if (items == null) {
      return null;
    }
    if (items.size() < 2 || items.size() > DemandClasses.MAX) {
      problems.at(
          node,
          "classes must be 2 to %d, not %d; leave them out if all requests are alike"
              .formatted(DemandClasses.MAX, items.size()));
      return null;
    }
    List<DemandClass> classes = new ArrayList<>();
    Map<String, Node> named = new HashMap<>();
    Node forOthers = null;
    int reserved = 0;
    for (int i = 0; i < items.size(); i++) {
      Node item = items.get(i);
      DemandClass read = read(reading, item, i == items.size() - 1);
      if (read == null) {
        continue;
      }
      if (read.name().equals(DemandClass.BORROWED.name())) {
        problems.at(
            item,
            "class %s is that of requests of elastic rules that borrow of this one; choose another name"
                .formatted(Problems.quote(read.name())));
        continue;
      }
      Node first = named.putIfAbsent(read.name(), item);
      if (first != null) {
        problems.at(
            item,
            "duplicate class %s; first given in line %s, keep one"
                .formatted(Problems.quote(read.name()), Problems.line(first)));
        continue;
      }
      if (read.match().isEmpty() && forOthers != null) {
        problems.at(
            item,
            "class %s has no conditions, as one in line %s; no request would be of it, give it a match"
                .formatted(Problems.quote(read.name()), Problems.line(forOthers)));
        continue;
      }
      forOthers = read.match().isEmpty() ? item : forOthers;
      reserved += read.reserveBasisPoints();
      if (reserved > DemandClass.WHOLE) {
        problems.at(item, "the classes reserve more than 100% together; reserve less");
        return null;
      }
      classes.add(read);
    }
    return classes.size() == items.size() ? new DemandClasses(classes) : null;
  }

  private static @Nullable DemandClass read(Reading reading, Node node, boolean isLast) {
    Problems problems = reading.problems();
    Scalars scalars = reading.scalars();
    Fields fields =
        Fields.of(
            node, "a class must be a mapping such as {name: batch, match: {job: \"*\"}}", problems);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    Node nameNode = fields.required(NAME, "name it, such as name: critical");
    String name = nameNode == null ? null : scalars.name(nameNode, "class");
    Map<String, Matcher> match =
        fields.value(MATCH, Map.of(), (value, what) -> new MatchReader(problems).read(value));
    Integer reserve = fields.value(RESERVE, 0, (value, what) -> scalars.percent(value, what, 0));
    Integer upTo =
        fields.value(UP_TO, DemandClass.WHOLE, (value, what) -> scalars.percent(value, what, 1));
    Node reserveNode = fields.optional(RESERVE);
    if (isLast && reserveNode != null && reserve != null && reserve > 0) {
      problems.at(
          reserveNode,
          "the last class has none below it to keep anything from; remove \"reserve\", or give the"
              + " classes before it an \"up-to\"");
      return null;
    }
    return name == null || match == null || reserve == null || upTo == null
        ? null
        : new DemandClass(name, match, reserve, upTo);
  }

  /** As lines of a rule file. */
  static String text(DemandClasses classes) {
    return classes.all().stream()
        .map(each -> "\n      - " + text(each))
        .collect(Collectors.joining());
  }

  private static String text(DemandClass each) {
    StringBuilder text = new StringBuilder("{name: ").append(YamlValues.text(each.name()));
    text.append(", match: ").append(YamlValues.match(each.match()));
    if (each.reserveBasisPoints() > 0) {
      text.append(", reserve: ").append(Words.percent(each.reserveBasisPoints()));
    }
    if (each.upToBasisPoints() < DemandClass.WHOLE) {
      text.append(", up-to: ").append(Words.percent(each.upToBasisPoints()));
    }
    return text.append('}').toString();
  }

  /** In plain words. */
  static String words(DemandClasses classes) {
    return classes.all().stream().map(ClassFields::words).collect(Collectors.joining(", then "));
  }

  private static String words(DemandClass each) {
    String which =
        new TreeMap<>(each.match())
            .entrySet().stream()
                .map(condition -> MatchWords.condition(condition.getKey(), condition.getValue()))
                .collect(Collectors.joining(" and "));
    StringBuilder words = new StringBuilder(each.name()).append(" (");
    words.append(which.isEmpty() ? "all others" : "where " + which);
    if (each.reserveBasisPoints() > 0) {
      words
          .append("; ")
          .append(Words.percent(each.reserveBasisPoints()))
          .append(" is kept for it from those below");
    }
    if (each.upToBasisPoints() < DemandClass.WHOLE) {
      words
          .append("; gets nothing once ")
          .append(Words.percent(each.upToBasisPoints()))
          .append(" is used");
    }
    return words.append(')').toString();
  }
}
