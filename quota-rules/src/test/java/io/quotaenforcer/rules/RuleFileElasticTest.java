package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Elastic limits in rule files. */
class RuleFileElasticTest {
  private static final String FILE =
      """
      domain: messages
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 100, per: 1m}
          elastic: {pool: all, up-to: 250.5%}
        - id: all
          limit: {permits: 5000, per: 1m}
      """;

  @Test
  void elastic_isRead_andWrittenSo() {
    List<Rule> rules = RuleFiles.rules(FILE);

    assertThat(rules.get(0).elastic()).contains(new Elastic("all", 25_050));
    assertThat(rules.get(1).elastic()).isEmpty();
    assertThat(RuleFiles.rules(RuleYaml.file("messages", rules))).isEqualTo(rules);
  }

  /** A limit has a million million permits at most, and so has what is borrowed. */
  @Test
  void override_ofWhichTooMuchMayBeBorrowed_isRefused_withItsPlaceAndARemedy() {
    String big = "{key: {user: big}, limit: {permits: 600000000000}}";
    assertThat(RuleFiles.problems(overridden("300%", big)))
        .containsExactly(
            "6:14: what may be borrowed with the override "
                + RuleFields.text(
                    RuleFiles.rules(overridden("200%", big)).get(0).overrides().all().get(0))
                + " must be between 0 and 1000000000000: permits=1200000000000;"
                + " choose a smaller up-to");
  }

  /** The rule's tolerance has no part in what is borrowed. */
  @Test
  void override_ofWhichTooMuchMayBeBorrowed_besideATolerance_isNotBlamedOnThat() {
    String file =
        overridden("300%", "{key: {user: big}, limit: {permits: 600000000000}}")
            .replace("    key: [user]", "    key: [user]\n    tolerance: 5%");

    assertThat(RuleFiles.problems(file))
        .singleElement()
        .asString()
        .startsWith("7:14: what may be borrowed with the override {key: {user: big}")
        .endsWith("; choose a smaller up-to");
  }

  @Test
  void limit_ofWhichTooMuchMayBeBorrowed_isRefused_withItsPlaceAndARemedy() {
    assertThat(
            RuleFiles.problems(
                FILE.replace("permits: 100,", "permits: 500000000000,").replace("250.5%", "400%")))
        .containsExactly(
            "6:14: what may be borrowed must be between 0 and 1000000000000:"
                + " permits=1500000000000; choose a smaller up-to");
  }

  private static String overridden(String upTo, String override) {
    return FILE.replace(
        "up-to: 250.5%}", "up-to: " + upTo + "}\n    overrides: [" + override + "]");
  }

  @Test
  void elastic_isExplainedInPlainWords() {
    assertThat(ElasticFields.words(new Elastic("all", 30_000)))
        .isEqualTo(
            "up to 300% of the limit for each quota key, while all has room that others do not ask"
                + " for");
  }
}
