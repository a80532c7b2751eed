package io.quotaenforcer.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.quotaenforcer.cli.Quota;
import io.quotaenforcer.lab.command.LabCommands;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The commands of the module's page are understood. */
class ReadmeTest {
  @Test
  void commands_areUnderstood() throws IOException {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());

    for (String command : commands()) {
      assertThatCode(
              () ->
                  Quota.create(
                          nowhere,
                          nowhere,
                          Map.of(),
                          options -> LabCommands.create(options, BenchCommand.create()))
                      .parseArgs(command.split(" ")))
          .as(command)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void benches_areEachOnThePage() throws IOException {
    assertThat(commands())
        .extracting(command -> command.split(" ")[1])
        .containsAll(BenchCommand.create().getSubcommands().keySet());
  }

  private static List<String> commands() throws IOException {
    return Files.readAllLines(Path.of("README.md")).stream()
        .filter(line -> line.startsWith("./quota bench "))
        .map(line -> line.substring("./quota ".length()))
        .toList();
  }
}
