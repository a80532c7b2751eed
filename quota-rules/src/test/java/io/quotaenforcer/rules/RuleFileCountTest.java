package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counting by outcome in rule files. */
class RuleFileCountTest {
  private static final String BOTH = "count: {when: {status: \"401\", error: \"*\"}}";

  @Test
  void count_isRead_andWrittenSo() {
    Rule rule = RuleFiles.rule(RuleFiles.withLines(BOTH));

    assertThat(rule.count())
        .isEqualTo(
            new CountWhen(Map.of("status", new Matcher.Exact("401"), "error", new Matcher.Any())));
    assertThat(RuleFiles.rules(RuleYaml.file("posts", List.of(rule)))).containsExactly(rule);
  }

  @Test
  void count_isExplainedInPlainWords() {
    Rule rule = RuleFiles.rule(RuleFiles.withLines(BOTH));

    assertThat(CountFields.words(rule.count()))
        .startsWith("only requests that turn out so: error is there and status is \"401\". Until")
        .contains("as does every request that is only decided");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "failures|6:12: count must be a mapping such as {when: {status: \"401\"}}, not"
            + " \"failures\"",
        "{}|6:12: missing \"when\"; say how requests that count turn out: count: {when: {status:"
            + " \"401\"}}",
        "{when: {}}|6:19: count.when has no condition; give one, or remove count if every request"
            + " counts",
        "{when: [status]}|6:19: count.when must be a mapping such as {status: \"401\"}, not a"
            + " list",
        "{if: {status: \"401\"}}|6:13: unknown key \"if\"; use one of when",
        "{when: {status: {regex: \"(\"}}}|6:36: regex \"(\" is broken at character 2: Unclosed"
            + " group; use the syntax of java.util.regex"
      })
  void count_thatIsBroken_saysWhereAndWhat(String count, String problem) {
    assertThat(RuleFiles.problems(RuleFiles.withLines("count: " + count))).contains(problem);
  }
}
