package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  private final MarkdownFile readme = MarkdownFile.read("README.md");

  @Test
  void readme_isShort() {
    assertThat(readme.text().lines().count()).isLessThan(200);
  }

  @Test
  void java_isThatOfTheSnippets() {
    Snippets.check(readme, "ReadmeSnippets.java", "embed", "headers", "defer", "replay", "emit");
  }

  @Test
  void rulesAndSettings_areThoseOfTheSamples() throws IOException {
    assertThat(readme.blocks("yaml")).containsExactly(sample("rules.yaml"));
    assertThat(readme.blocks("properties")).containsExactly(sample("enforcer.properties"));
  }

  @Test
  void modules_areThoseOfTheBuild() throws IOException {
    String pom = Files.readString(MarkdownFile.ROOT.resolve("pom.xml"));
    List<String> modules =
        Pattern.compile("<module>(.*)</module>")
            .matcher(pom)
            .results()
            .map(module -> module.group(1))
            .toList();

    assertThat(modules).hasSizeGreaterThan(4).allMatch(module -> readme.spans().contains(module));
  }

  private static String sample(String file) throws IOException {
    return Files.readString(Path.of("samples", file));
  }
}
