package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing stands in the README and in guides that no test types, but for what is listed here. */
class TypedPagesTest {
  /** Commands that are not run, and why; {@link GuidesTest} has them understood all the same. */
  static final Map<String, String> NOT_RUN =
      Map.of(
          "./quota up", "it stays: TutorialIT",
          "mvn -Dquick install", "it builds, and writes to the local repository",
          "./quota demo", "half a minute with the machine to itself: DemoIT",
          "./quota run-log", "half a minute with a broker of its own: RunLogIT");

  /** Blocks by language, and what types them. */
  private static final Map<String, String> TYPED =
      Map.of(
          "sh", "GuidesIT",
          "java", "JavaOfPagesTest compiles, ReadmeSnippets and ClientSnippets are run",
          "yaml", "GuidesTest: rules validate, rules import-envoy",
          "properties", "GuidesTest, and those of an enforcer GuidesIT",
          "xml", "ReadmeTest",
          "mermaid", "a drawing");

  /** Output that is compared with that of the program, and files beside the page. */
  private static final Map<String, List<String>> OUTPUT =
      Map.of(
          "README.md", List.of("text"), // of a demo, whose figures differ each time: DemoIT
          "topology-docs/backtest.md", List.of("text", "csv"), // BacktestGuideTest, GuidesIT
          "topology-docs/defence-in-depth.md", List.of("text"), // a drawing
          "topology-docs/headers.md", List.of("text")); // HeadersPageTest

  /** But for those that TutorialIT of integrations, and InstallIT, type with all that they show. */
  static Stream<MarkdownFile> guides() {
    Set<String> others = Set.of("topology-docs/tutorial.md", "topology-docs/install.md");
    return MarkdownFile.guides().stream().filter(page -> !others.contains(page.toString()));
  }

  @ParameterizedTest
  @MethodSource("guides")
  void blocks_areOfLanguagesThatATestTypes(MarkdownFile page) {
    List<String> others =
        page.blocks().stream()
            .map(MarkdownFile.Block::language)
            .filter(language -> !TYPED.containsKey(language))
            .toList();
    assertThat(others).isEqualTo(OUTPUT.getOrDefault(page.toString(), List.of()));
  }

  /** One that is indented, or says more than its language, would be passed over. */
  @ParameterizedTest
  @MethodSource("guides")
  void fences_areThoseOfBlocks(MarkdownFile page) {
    assertThat(page.text().lines().filter(line -> line.strip().startsWith("```")))
        .hasSize(2 * page.blocks().size());
  }

  @Test
  void pagesWithCommands_areTyped() {
    assertThat(guides().filter(page -> !page.shellLines().isEmpty()))
        .extracting(MarkdownFile::toString)
        .containsExactlyInAnyOrderElementsOf(GuidesIT.PAGES);
  }

  @ParameterizedTest
  @MethodSource("guides")
  void lines_areRunOrListed(MarkdownFile page) {
    assertThat(page.shellLines())
        .filteredOn(line -> !isListed(line))
        .allMatch(line -> line.startsWith("./quota ") || line.startsWith("export QUOTA_"));
  }

  @Test
  void whatIsNotRun_standsOnAPage() {
    Set<String> listed = NOT_RUN.keySet();
    assertThat(guides().flatMap(page -> page.shellLines().stream()).filter(it -> isListed(it)))
        .hasSize(listed.size());
  }

  static boolean isListed(String line) {
    return NOT_RUN.keySet().stream().anyMatch(command -> (line + " ").startsWith(command + " "));
  }
}
