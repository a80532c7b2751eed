package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new field of a rule takes the files that the walkthrough names, and no more. */
class ToyRuleFieldTest {
  private static final int MOST = 8;

  private static final String RULE =
      """
      domain: shop
      rules:
        - id: posts
          key: [user]
          limit: {permits: 10, per: 1s}
          enforcement: strict
          note: come back later
      """;

  @TempDir Path folder;

  @Test
  void field_addedAsTheWalkthroughSays_isReadWrittenPublishedAndExplained() throws Exception {
    ClassLoader changed =
        new ChangedProject("toy-rule-field")
            .classes(text -> text.matches("(?s).*\\b(Consequence|QuotaRule)\\b.*"), folder);

    String said = ToyAlgorithmTest.way(changed).apply(RULE);

    assertThat(said).contains("label=note, text=\"come back later\"").contains("bad network: 0\n");
  }

  @Test
  void walkthrough_namesTheFilesOfTheChangeInItsOrder() throws Exception {
    assertThat(Walkthrough.files("A new field of a rule, step by step"))
        .hasSizeLessThanOrEqualTo(MOST)
        .isEqualTo(new ChangedProject("toy-rule-field").files());
  }
}
