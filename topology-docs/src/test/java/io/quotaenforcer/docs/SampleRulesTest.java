package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleExplainer;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleFileLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The rules that a reader of the README, or of the samples, applies first. */
class SampleRulesTest {
  private static final Path RULES = MarkdownFile.ROOT.resolve("topology-docs/samples/rules.yaml");

  /** As topics are created when nothing is said. */
  private static final int INSTANCES = 100;

  @Test
  void firstRule_withAsManyInstancesAsThereMayBe_isNothingToWarnOf() {
    RuleFile.Valid file = (RuleFile.Valid) RuleFileLoader.load(RULES);
    Rule first = file.rules().get(0);
    assertThat(first.id()).hasToString("posts/posts-per-user");
    assertThat(first.overLimit().defers()).isTrue();
    assertThat(RuleExplainer.of(first, INSTANCES).warnings()).isEmpty();
  }

  @Test
  void rulesOfTheSamples_areValid() {
    Path file = MarkdownFile.ROOT.resolve("integrations/samples/rules.yaml");
    assertThat(((RuleFile.Valid) RuleFileLoader.load(file)).rules())
        .extracting(rule -> rule.id().toString())
        .containsExactly("samples/pages", "samples/greetings");
  }
}
