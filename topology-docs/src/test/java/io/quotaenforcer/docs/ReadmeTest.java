package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
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
    Snippets.check(readme, "ReadmeSnippets.java", "embed", "defer", "replay", "emit");
  }

  @Test
  void rulesAndSettings_areThoseOfTheSamples() throws IOException {
    assertThat(readme.blocks("yaml")).containsExactly(sample("rules.yaml"));
    assertThat(readme.blocks("properties")).containsExactly(sample("enforcer.properties"));
  }

  @Test
  void dependency_isTheAdmissionClientOfThisBuild() throws IOException {
    String pom = Files.readString(MarkdownFile.ROOT.resolve("pom.xml"));
    Function<String, String> parent =
        tag -> valueOf(tag, pom.substring(0, pom.indexOf("<modules>")));
    String client = Files.readString(MarkdownFile.ROOT.resolve("admission-client/pom.xml"));
    String own = client.substring(client.indexOf("</parent>"));

    assertThat(readme.blocks("xml")).hasSize(1);
    String dependency = readme.blocks("xml").get(0);
    assertThat(valueOf("groupId", dependency)).isEqualTo(parent.apply("groupId"));
    assertThat(valueOf("artifactId", dependency)).isEqualTo(valueOf("artifactId", own));
    assertThat(valueOf("version", dependency)).isEqualTo(parent.apply("version"));
  }

  private static String valueOf(String tag, String xml) {
    Matcher value = Pattern.compile("<%s>(.*)</%s>".formatted(tag, tag)).matcher(xml);
    assertThat(value.find()).as("%s of %s", tag, xml).isTrue();
    return value.group(1);
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
