package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Penalties in rule files. */
class RuleFilePenaltyTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long DAY = 24 * 60 * MINUTE;

  private static Rule rule(String penalty) {
    return RuleFiles.rule(RuleFiles.withLines("penalty: " + penalty));
  }

  @Test
  void penalty_isRead_andWrittenSo() {
    Rule rule = rule("{after: 5, within: 1m, for: 10m, then: x2, up-to: 1d}");
    assertThat(rule.penalty()).hasValue(new PenaltyTerms(5, MINUTE, 10 * MINUTE, 2, DAY));
    String file = RuleYaml.file("posts", List.of(rule));
    assertThat(file).contains("penalty: {after: 5, within: 1m, for: 10m, then: x2, up-to: 1d}");
    assertThat(RuleFiles.rules(file)).containsExactly(rule);
  }

  @Test
  void thenAndUpTo_maybeLeftOut() {
    assertThat(rule("{after: 1, within: 1s, for: 1s}").penalty())
        .hasValue(new PenaltyTerms(1, SECOND, SECOND, 1, DAY));
    assertThat(rule("{after: 1, within: 1d, for: 7d}").penalty())
        .hasValue(new PenaltyTerms(1, DAY, 7 * DAY, 1, 7 * DAY));
    assertThat(RuleFiles.rule(RuleFiles.withLines("mode: shadow")).penalty()).isEmpty();
  }

  @Test
  void penalty_isExplainedInPlainWords() {
    PenaltyTerms grows = new PenaltyTerms(5, MINUTE, 10 * MINUTE, 2, DAY);
    assertThat(PenaltyFields.words(grows))
        .isEqualTo(
            "a quota key that is throttled 5 times within 1m is refused everything for 10m, at all instances. A further penalty is 2 times as long as the one before, up to 1d; once a key has been without one for as long as its last one took, it begins anew. What is refused meanwhile does not prolong it");
    PenaltyTerms same = new PenaltyTerms(1, MINUTE, 10 * MINUTE, 1, DAY);
    assertThat(PenaltyFields.words(same))
        .startsWith("a quota key that is throttled once within 1m")
        .contains("A further penalty is as long as the first. What");
  }

  @Test
  void penaltyBesideAnyAlgorithmAndClasses_isRead() {
    assertThat(
            RuleFiles.rule(
                    RuleFiles.withLines(
                        "classes: [{name: a, match: {api: GET}}, {name: b}]",
                        "limits-from: entitlements",
                        "count: {when: {status: \"401\"}}",
                        "penalty: {after: 5, within: 1m, for: 10m}"))
                .penalty())
        .isPresent();
  }
}
