package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.mapping.RuleMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A field of the table reaches everything that handles rules. */
class RuleFieldsTest {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** Another value than the default for each field; those before it make it possible. */
  private static final Map<String, List<String>> OTHER =
      Map.ofEntries(
          Map.entry("match", List.of("match: {api: POST}")),
          Map.entry("key", List.of("key: [api]")),
          Map.entry("limit", List.of("limit: {permits: 3, per: 1s}")),
          Map.entry("tolerance", List.of("tolerance: 5%")),
          Map.entry("enforcement", List.of("enforcement: per-instance")),
          Map.entry("elastic", List.of("elastic: {pool: all, up-to: 300%}")),
          Map.entry("opening", List.of("opening: shared")),
          Map.entry("over-limit", List.of("over-limit: defer")),
          Map.entry("deferral", List.of("over-limit: defer", "deferral: {release: steady}")),
          Map.entry("limits-from", List.of("limits-from: entitlements")),
          Map.entry(
              "plans", List.of("limits-from: entitlements", "plans: {gold: {permits: 1000}}")),
          Map.entry("adapt", List.of("adapt: {steps: [{when: cpu > 80%, to: 50%}]}")),
          Map.entry("on-unavailable", List.of("on-unavailable: deny")),
          Map.entry("mode", List.of("mode: shadow")),
          Map.entry("status", List.of("status: 503")),
          Map.entry(
              "penalty", List.of("penalty: {after: 5, within: 1m, for: 10m, then: x2, up-to: 1d}")),
          Map.entry("count", List.of("count: {when: {status: \"401\"}}")),
          Map.entry("classes", List.of("classes: [{name: a, match: {api: GET}}, {name: b}]")),
          Map.entry("overrides", List.of("overrides: [{key: {user: a}, deny: true}]")));

  /** Another rule, for what refers to one. */
  private static final String POOL = "  - id: all\n    limit: {permits: 9, per: 1s}\n";

  static Stream<Spelling<Rule>> fields() {
    return RuleFields.SPELLINGS.stream().filter(field -> !field.name().equals("id"));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void field_ofAnotherValue_isReadAndWritten(Spelling<Rule> field) {
    Rule rule = rule(other(field));
    assertThat(rule).isNotEqualTo(rule(List.of()));
    String file = RuleYaml.file("posts", List.of(rule));
    assertThat(file).contains("    " + field.name() + ":");
    assertThat(RuleFiles.rules(file + POOL).get(0)).isEqualTo(rule);
  }

  @ParameterizedTest
  @MethodSource("fields")
  void field_ofAnotherValue_comesThroughTheTopic(Spelling<Rule> field) {
    Rule rule = rule(other(field)).withVersion(1, 1);
    assertThat(RuleMapping.fromRecord(RuleMapping.toRecord(rule, 0))).isEqualTo(rule);
  }

  @ParameterizedTest
  @MethodSource("fields")
  void field_ofAnotherValue_isAChangeThatNamesIt(Spelling<Rule> field) {
    List<String> lines = other(field);
    Rule before = rule(lines.subList(0, lines.size() - 1)).withVersion(1, 1);
    RuleChange change =
        RuleDiff.between(List.of(before), List.of(rule(lines)), true, id -> 1).get(0);
    assertThat(((RuleChange.Changed) change).fields())
        .extracting(RuleChange.FieldChange::field)
        .anyMatch(named -> named.equals(field.name()) || named.startsWith("override "));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void field_ofAnotherValue_isExplained(Spelling<Rule> field) {
    List<String> lines = other(field);
    Rule before = rule(lines.subList(0, lines.size() - 1));
    assertThat(RuleExplainer.of(rule(lines), 10).lines())
        .isNotEqualTo(RuleExplainer.of(before, 10).lines());
  }

  @ParameterizedTest
  @MethodSource("fields")
  void field_misspelt_isSuggested(Spelling<Rule> field) {
    assertThat(RuleFiles.problems(RuleFiles.withLines(field.name() + "x: 1")))
        .anyMatch(problem -> problem.contains("did you mean \"" + field.name() + "\"?"));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void field_leftOut_isAsThePageSays(Spelling<Rule> field) {
    Rule rule = RuleFiles.rule(RuleFiles.withLimit("{permits: 2, per: 1s}"));
    String read = field.text().apply(rule);
    documentedDefault(field.docs())
        .filter(value -> !read.isEmpty())
        .ifPresent(value -> assertThat(read).isEqualTo(value));
  }

  @Test
  void deferral_leftOut_isAsThePageSays() {
    for (Spelling<Defer> field : DeferralFields.SPELLINGS) {
      assertThat(field.text().apply(Defer.DEFAULTS))
          .isEqualTo(documentedDefault(field.docs()).orElseThrow());
    }
  }

  @Test
  void page_hasARowOfEachField() {
    List<String> rows = RuleFields.docs().stream().map(Spelling.Doc::field).toList();
    for (Spelling<Rule> field : RuleFields.SPELLINGS) {
      assertThat(rows)
          .anyMatch(
              row ->
                  row.equals("`" + field.name() + "`") || row.startsWith("`" + field.name() + "."));
    }
    for (Spelling<?> field : LimitFields.SPELLINGS) {
      assertThat(rows).contains("`limit." + field.name() + "`");
    }
  }

  /** A field that no sentence tells of is told as a rule file has it. */
  @Test
  void explanation_ofAFieldWithoutWords_saysItAsAFileWould() {
    RuleField<Rule, String> colour =
        RuleField.optional(
            Spelling.<Rule>of("colour", rule -> rule.id().id().equals("per-user") ? "red" : ""),
            "",
            (reading, node, name) -> reading.scalars().text(node, name));
    Rule rule = rule(List.of());
    DeclaredBound bound = RuleExplainer.of(rule, 10).bound();
    assertThat(RuleExplainer.lines(rule, 10, bound, List.of(colour)))
        .containsExactly(new RuleExplanation.Line("colour", "red"));
  }

  private static List<String> other(Spelling<Rule> field) {
    List<String> lines = OTHER.get(field.name());
    assertThat(lines).as("must have a value to test: %s", field.name()).isNotNull();
    return lines;
  }

  private static Optional<String> documentedDefault(List<Spelling.Doc> docs) {
    Matcher code = CODE.matcher(docs.isEmpty() ? "" : docs.get(0).byDefault());
    return code.find() ? Optional.of(code.group(1)) : Optional.empty();
  }

  private static Rule rule(List<String> lines) {
    List<String> all = new ArrayList<>(lines);
    Map.of("limit", "limit: {permits: 2, per: 1s}", "key", "key: [user]")
        .forEach(
            (name, line) -> {
              if (lines.stream().noneMatch(one -> one.startsWith(name + ":"))) {
                all.add(line);
              }
            });
    String file = "domain: posts\nrules:\n  - id: per-user\n    " + String.join("\n    ", all);
    return RuleFiles.rules(file + "\n" + POOL).get(0);
  }
}
