package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RulesPageTest {
  @Test
  void fields_areThoseOfTheRuleLanguage() throws IOException {
    Path file = Path.of(RulesPage.FILE);
    String committed = Files.readString(file);
    Page page = RulesPage.write(committed);
    if (System.getProperty("docs.write") != null) {
      Files.writeString(file, page.text());
      return;
    }
    assertThat(committed)
        .as("the fields of topology-docs/%s differ; run: %s", page.file(), Pages.COMMAND)
        .isEqualTo(page.text());
  }
}
