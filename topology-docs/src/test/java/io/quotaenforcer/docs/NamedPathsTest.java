package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files, folders and tests that the pages for contributors name are there. Links are followed by
 * {@link GuidesTest}.
 */
class NamedPathsTest {
  private static final Pattern PATH = Pattern.compile("[\\w.-]+(/[\\w.-]+)+/?");
  private static final Pattern MODULE = Pattern.compile("-pl (\\S+)");
  private static final Pattern TESTS = Pattern.compile("-D(?:it\\.)?test='?([\\w*]+)");

  @ParameterizedTest
  @ValueSource(strings = {"ARCHITECTURE.md", "CONTRIBUTING.md"})
  void paths_areThere(String page) {
    List<String> paths =
        MarkdownFile.read(page).spans().stream()
            .flatMap(span -> Stream.of(span.split(" ")))
            .filter(word -> PATH.matcher(word).matches())
            .toList();

    assertThat(paths).isNotEmpty();
    assertThat(paths).allSatisfy(path -> assertThat(MarkdownFile.ROOT.resolve(path)).exists());
  }

  @Test
  void testsOfCommands_areInTheModuleThatTheCommandNames() throws IOException {
    List<String> commands =
        MarkdownFile.read("CONTRIBUTING.md").spans().stream()
            .filter(span -> span.contains("test="))
            .toList();

    assertThat(commands).isNotEmpty();
    for (String command : commands) {
      for (String name : groups(TESTS, command)) {
        assertThat(tests(groups(MODULE, command).get(0), name)).as(command).isNotEmpty();
      }
    }
  }

  /** But for {@code none}, by which no unit test is run. */
  private static List<String> groups(Pattern pattern, String command) {
    return pattern
        .matcher(command)
        .results()
        .map(found -> found.group(1))
        .filter(found -> !found.equals("none"))
        .toList();
  }

  private static List<Path> tests(String module, String name) throws IOException {
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + name + ".java");
    try (Stream<Path> files = Files.walk(MarkdownFile.ROOT.resolve(module).resolve("src/test"))) {
      return files.filter(file -> matcher.matches(file.getFileName())).toList();
    }
  }
}
