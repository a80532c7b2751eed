package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How little a service needs for quotas, by the samples. */
class SampleGlueTest {
  private static final Path SAMPLES = MarkdownFile.ROOT.resolve("integrations/samples");
  private static final int MOST = 5;

  /** The lines between the tags, by sample. */
  private static Map<String, List<String>> glue() throws IOException {
    Map<String, List<String>> glue = new TreeMap<>();
    for (Path file : files()) {
      boolean ours = false;
      for (String line : Files.readAllLines(file)) {
        boolean isTag = line.contains("::quotas[]");
        ours = isTag ? line.contains("tag::") : ours;
        if (ours && !isTag && !line.isBlank()) {
          glue.computeIfAbsent(sample(file), name -> new ArrayList<>()).add(line);
        }
      }
    }
    return glue;
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(SAMPLES)) {
      return files.filter(file -> file.toString().matches(".*[.](java|yaml)")).sorted().toList();
    }
  }

  private static String sample(Path file) {
    return SAMPLES.relativize(file).getName(0).toString();
  }

  @Test
  void samples_needFiveLinesAtMost_asTheirPageSays() throws IOException {
    String page = Files.readString(SAMPLES.resolve("README.md"));
    Map<String, List<String>> glue = glue();
    assertThat(glue).containsOnlyKeys("grpc", "servlet", "spring");
    glue.forEach(
        (sample, lines) -> {
          assertThat(lines).as(sample).hasSizeLessThanOrEqualTo(MOST);
          assertThat(page)
              .containsPattern("\\[`" + sample + "/\\w+`].*\\| " + lines.size() + " \\|");
        });
  }

  @Test
  void linesThatNameOurTypes_areCounted() throws IOException {
    Map<String, List<String>> glue = glue();
    for (Path file : files()) {
      List<String> all = Files.readAllLines(file);
      List<String> types =
          all.stream()
              .filter(line -> line.startsWith("import io.quotaenforcer."))
              .map(line -> line.substring(line.lastIndexOf('.') + 1, line.length() - 1))
              .toList();
      // A method's signature is the sample's own way to be tested.
      assertThat(all)
          .filteredOn(line -> !line.startsWith("import ") && !line.contains("static Server start("))
          .filteredOn(
              line -> types.stream().anyMatch(type -> line.matches(".*\\b" + type + "\\b.*")))
          .isSubsetOf(glue.getOrDefault(sample(file), List.of()));
    }
  }
}
