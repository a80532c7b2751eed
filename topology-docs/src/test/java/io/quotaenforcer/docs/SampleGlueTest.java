package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How little a service needs for quotas, by the samples. */
class SampleGlueTest {
  private static final Path SAMPLES = MarkdownFile.ROOT.resolve("integrations/samples");
  private static final int MOST = 5;

  /** Decides for itself, and shows what that takes. */
  private static final String NOT_COUNTED = "mail";

  private static List<Glue> glue(String sample) throws IOException {
    try (Stream<Path> files = Files.walk(SAMPLES.resolve(sample).resolve("src/main"))) {
      List<Glue> glue = new ArrayList<>();
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        glue.add(Glue.of(Files.readAllLines(file)));
      }
      return glue;
    }
  }

  @Test
  void samples_areThoseThatAreCounted() throws IOException {
    try (Stream<Path> folders = Files.list(SAMPLES)) {
      assertThat(folders.filter(folder -> Files.exists(folder.resolve("src"))))
          .extracting(folder -> folder.getFileName().toString())
          .containsExactlyInAnyOrder("servlet", "spring", "grpc", NOT_COUNTED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "spring", "grpc"})
  void sample_needsFiveLinesAtMost_asThePageSays(String sample) throws IOException {
    List<String> lines = glue(sample).stream().flatMap(glue -> glue.counted().stream()).toList();
    assertThat(lines).hasSizeBetween(1, MOST);
    assertThat(Files.readString(SAMPLES.resolve("README.md")))
        .containsPattern("\\[`" + sample + "`].*\\| " + lines.size() + " \\|");
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "spring", "grpc"})
  void whatHasToDoWithQuotas_isMarked(String sample) throws IOException {
    assertThat(glue(sample).stream().flatMap(glue -> glue.missed().stream())).isEmpty();
  }

  @Test
  void linesBetweenTheMarks_areCounted_withoutImports() {
    List<String> lines =
        """
        package io.quotaenforcer.samples;
        import io.quotaenforcer.client.AdmissionClient;
        before();
          // quota
          AdmissionClient client =

              AdmissionClient.create();
          // end of quota
        after();
        """
            .lines()
            .toList();
    assertThat(Glue.of(lines))
        .isEqualTo(
            new Glue(List.of("AdmissionClient client =", "AdmissionClient.create();"), List.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "use(AdmissionClient.class);",
        "use(client);",
        "io.quotaenforcer.core.Request other;",
        "new QuotaFilter();",
        "quota.http.max-wait: 2s",
        "// quota,"
      })
  void linesElsewhere_thatHaveToDoWithQuotas_areMissed(String line) {
    List<String> lines =
        List.of(
            "import io.quotaenforcer.client.AdmissionClient;",
            "// quota",
            "AdmissionClient client = AdmissionClient.create();",
            "// end of quota",
            line);
    assertThat(Glue.of(lines).missed()).containsExactly(line);
  }

  @Test
  void marks_mustBeginAndEndInTurn() {
    assertThatThrownBy(() -> Glue.of(List.of("// quota", "x", "// quota", "# end of quota")))
        .hasMessage("must begin and end in turn: // quota");
    assertThatThrownBy(() -> Glue.of(List.of("# end of quota")))
        .hasMessage("must begin and end in turn: # end of quota");
    assertThatThrownBy(() -> Glue.of(List.of("# quota", "x"))).hasMessage("must end: quota");
  }
}
