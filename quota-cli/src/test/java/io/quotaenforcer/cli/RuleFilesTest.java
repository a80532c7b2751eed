package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The files under {@code rules/broken} and {@code rules/good}, through the real command. A broken
 * file has beside it, as {@code NAME.expected}, what is said of it, line by line, without its name.
 * Another pair of files is another case; {@code -Drules.write} writes what is said now.
 */
class RuleFilesTest {
  private static final Path RULES = Path.of("src/test/resources/rules");

  static Stream<String> broken() throws IOException {
    return names("broken");
  }

  static Stream<String> good() throws IOException {
    return names("good");
  }

  @ParameterizedTest
  @MethodSource("broken")
  void validate_brokenFile_saysWhereWhatIsWrongAndWhatWouldBeRight(String name) throws IOException {
    Path file = RULES.resolve("broken").resolve(name + ".yaml");
    Path expected = RULES.resolve("broken").resolve(name + ".expected");
    QuotaRun run = QuotaRun.of("rules", "validate", file.toString());
    List<String> said = run.err().lines().map(line -> line.replace(file + ":", "")).toList();
    if (System.getProperty("rules.write") != null) {
      Files.write(expected, said);
    }
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(said).isNotEmpty().isEqualTo(Files.readAllLines(expected));
    assertThat(said).allMatch(line -> line.matches("[0-9]+:[0-9]+: .+"));
  }

  @ParameterizedTest
  @MethodSource("good")
  void validate_goodFile_isAccepted_andReadsBackAsWritten(String name) throws IOException {
    Path file = RULES.resolve("good").resolve(name + ".yaml");
    QuotaRun run = QuotaRun.of("rules", "validate", file.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith(file + ": ok, domain ");
    RuleFile.Valid read = (RuleFile.Valid) RuleFile.parse(name, Files.readString(file));
    assertThat(RuleFile.parse(name, RuleYaml.file(read.domain(), read.rules()))).isEqualTo(read);
  }

  @Test
  void files_areMany_andNoExpectationIsLeftOver() throws IOException {
    assertThat(broken()).hasSizeGreaterThanOrEqualTo(30);
    assertThat(good()).hasSizeGreaterThanOrEqualTo(15);
    try (Stream<Path> files = Files.list(RULES.resolve("broken"))) {
      assertThat(files.map(Path::toString).filter(file -> file.endsWith(".expected")))
          .allMatch(file -> Files.exists(Path.of(file.replace(".expected", ".yaml"))));
    }
  }

  private static Stream<String> names(String folder) throws IOException {
    try (Stream<Path> files = Files.list(RULES.resolve(folder))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".yaml"))
          .map(file -> file.replace(".yaml", ""))
          .sorted()
          .toList()
          .stream();
    }
  }
}
