package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path folder;

  @Test
  void help_andVersion_areShownOnStandardOutput() {
    assertThat(run("--help")).isEqualTo(ExitCode.DONE);
    assertThat(run("-V")).isEqualTo(ExitCode.DONE);

    assertThat(out.toString()).contains("Usage: enforcer [--config FILE]", "enforcer ");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void arguments_thatItDoesNotKnow_areNamedWithTheUsage() {
    assertThat(run("--confg", "file")).isEqualTo(ExitCode.USAGE);
    assertThat(run("--config")).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString())
        .contains(
            "error: unknown arguments: --confg file\n", "error: unknown arguments: --config\n")
        .contains("Usage: enforcer");
  }

  @Test
  void settings_thatAreWrong_areAllToldAtOnce() throws IOException {
    Path file =
        Files.writeString(folder.resolve("enforcer.properties"), "http.prt=1\nhttp.port=x\n");

    assertThat(run("--config", file.toString())).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("error: " + file + ": "));
  }

  @Test
  void file_thatIsNotThere_isSaidInALine() {
    assertThat(run("--config", folder.resolve("none").toString())).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString()).endsWith("there is no such file\n").hasLineCount(1);
  }

  @Test
  void kafka_thatIsAway_isExitCode3() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("enforcer.properties"),
            "bootstrap.servers=no-such-host.invalid:1\nhttp.port=0\nstate.dir=%s\n"
                .formatted(folder.resolve("state")));

    assertThat(run("--config", file.toString())).isEqualTo(ExitCode.UNREACHABLE);

    assertThat(err.toString()).contains("no-such-host.invalid:1");
  }

  private int run(String... arguments) {
    return Main.run(
        List.of(arguments), Map.of(), new PrintWriter(out, true), new PrintWriter(err, true));
  }
}
