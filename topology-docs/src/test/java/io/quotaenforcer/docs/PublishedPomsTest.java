package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each artifact that is published says what a public repository asks for, and is in the BOM. */
class PublishedPomsTest {
  private static final Pom BOM = Pom.read(MarkdownFile.ROOT.resolve("bom/pom.xml"));

  static List<Pom> published() {
    return Pom.published();
  }

  @ParameterizedTest
  @MethodSource("published")
  void artifact_hasANameADescriptionAndAModule(Pom pom) {
    assertThat(pom.text("name").orElse("")).startsWith("Quota Enforcer: ");
    assertThat(pom.text("description").orElse("")).endsWith(".");
    assertThat(pom.text("properties", "module.name").orElse(""))
        .matches("io\\.quotaenforcer(\\.[a-z]+)+");
    for (List<String> path : metadata()) {
      assertThat(pom.inherited(path.toArray(String[]::new)).orElse("")).as("%s", path).isNotEmpty();
    }
  }

  private static List<List<String>> metadata() {
    return List.of(
        List.of("url"),
        List.of("licenses", "license", "url"),
        List.of("developers", "developer", "name"),
        List.of("scm", "connection"),
        List.of("scm", "developerConnection"),
        List.of("scm", "url"));
  }

  @Test
  void modules_haveNamesOfTheirOwn() {
    assertThat(published())
        .extracting(pom -> pom.text("properties", "module.name").orElse(""))
        .doesNotHaveDuplicates();
  }

  @Test
  void bom_hasAllThatIsPublished_andNothingElse() {
    assertThat(published()).hasSizeGreaterThan(15);
    assertThat(BOM.texts("dependencyManagement", "dependencies", "dependency", "artifactId"))
        .containsExactlyInAnyOrderElementsOf(published().stream().map(Pom::artifact).toList());
    assertThat(BOM.texts("dependencyManagement", "dependencies", "dependency", "version"))
        .containsOnly("${project.version}");
  }

  /** It is no child of the build's parent, and repeats what it would inherit. */
  @Test
  void bom_saysWhatTheBuildSays() {
    assertThat(BOM.texts("parent")).isEmpty();
    for (List<String> path : metadata()) {
      String[] names = path.toArray(String[]::new);
      assertThat(BOM.text(names)).as("%s", path).isEqualTo(Pom.ofBuild().text(names));
    }
    assertThat(BOM.text("version")).isEqualTo(Pom.ofBuild().text("version"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "quota-simulation",
        "topology-docs",
        "quota-benchmarks",
        "quota-testkit",
        "quota-sample-mail",
        "quota-class-paths",
        "quota-system-tests",
        "quota-system-tests-alone"
      })
  void whatIsForThisBuildOnly_isNotPublished(String artifact) {
    assertThat(published()).extracting(Pom::artifact).doesNotContain(artifact);
  }
}
