package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Classes of requests in rule files. */
class RuleFileClassesTest {
  private static final String THREE =
      "classes: [{name: critical, match: {api: \"POST /charges\"}, reserve: 20%}, {name: normal},"
          + " {name: batch, match: {job: \"*\"}, up-to: 50%}]";

  @Test
  void classes_areReadInTheirOrder_andWrittenSo() {
    Rule rule = RuleFiles.rule(RuleFiles.withLines(THREE));

    assertThat(rule.classes().all())
        .containsExactly(
            new DemandClass(
                "critical", Map.of("api", new Matcher.Exact("POST /charges")), 2_000, 10_000),
            new DemandClass("normal", Map.of(), 0, 10_000),
            new DemandClass("batch", Map.of("job", new Matcher.Any()), 0, 5_000));
    assertThat(RuleFiles.rules(RuleYaml.file("posts", List.of(rule)))).containsExactly(rule);
  }

  @Test
  void classes_areExplainedInPlainWords() {
    Rule rule = RuleFiles.rule(RuleFiles.withLines(THREE));

    assertThat(ClassFields.words(rule.classes()))
        .isEqualTo(
            "critical (where api is \"POST /charges\"; 20% is kept for it from those below), then"
                + " normal (all others), then batch (where job is there; gets nothing once 50% is"
                + " used)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: b}|6:14: classes must be a list such as [{name: critical, ...}], not a mapping",
        "[]|6:14: classes must be 2 to 8, not 0; leave them out if all requests are alike",
        "[{name: a}]|6:14: classes must be 2 to 8, not 1; leave them out if all requests are alike",
        "[a, {name: b}]|6:15: a class must be a mapping such as {name: batch, match: {job: \"*\"}},"
            + " not \"a\"",
        "[{match: {a: b}}, {name: b}]|6:15: missing \"name\"; name it, such as name: critical",
        "[{name: a, match: {a: b}}, {name: a}]|6:41: duplicate class \"a\"; first given in line 6,"
            + " keep one",
        "[{name: a}, {name: b}]|6:26: class \"b\" has no conditions, as one in line 6; no request"
            + " would be of it, give it a match",
        "[{name: a b}, {name: b, match: {a: b}}]|6:22: class \"a b\" has other characters or"
            + " length; use 1 to 100 of A-Z a-z 0-9 . _ -",
        "[{name: a, reserve: 20}, {name: b, match: {a: b}}]|6:34: reserve must be a percentage, not"
            + " \"20\"; write \"20%\"",
        "[{name: a, reserve: 60%}, {name: b, match: {a: b}, reserve: 50%}, {name: c, match: {a:"
            + " c}}]|6:40: the classes reserve more than 100% together; reserve less",
        "[{name: a}, {name: b, match: {a: b}, reserve: 5%}]|6:60: the last class has none below it"
            + " to keep anything from; remove \"reserve\", or give the classes before it an"
            + " \"up-to\"",
        "[{name: a, up-to: 0%}, {name: b, match: {a: b}}]|6:32: up-to must be between 0.01% and"
            + " 100%, not \"0%\"",
        "[{name: a, upto: 5%}, {name: b, match: {a: b}}]|6:25: unknown key \"upto\"; did you mean"
            + " \"up-to\"? (one of name, match, reserve, up-to)",
        "[{name: a, match: [x]}, {name: b, match: {a: b}}]|6:32: match must be a mapping such as"
            + " {api: \"POST /posts\"}, not a list"
      })
  void classes_thatAreBroken_saysWhereAndWhat(String classes, String problem) {
    assertThat(RuleFiles.problems(RuleFiles.withLines("classes: " + classes)))
        .contains(problem.strip());
  }
}
