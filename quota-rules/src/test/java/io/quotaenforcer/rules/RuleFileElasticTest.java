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

  @Test
  void elastic_isExplainedInPlainWords() {
    assertThat(ElasticFields.words(new Elastic("all", 30_000)))
        .isEqualTo(
            "up to 300% of the limit for each quota key, while all has room that others do not ask"
                + " for");
  }
}
