package io.quotaenforcer.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.quotaenforcer.cli.Quota;
import java.io.File;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Bash completes every command and option that there is; a bash is asked. */
class CompletionTest {
  private static final Path COMPLETION = Path.of("src/main/dist/completions/quota");

  /** For each line of its input: what bash offers after these words, on a line. */
  private static final String ASK =
      """
      source "$1"
      # A builtin that works while a person types only.
      compopt() { :; }
      while IFS= read -r line; do
        read -ra COMP_WORDS <<< "$line"
        [[ $line == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMPREPLY=()
        _complete_quota
        echo "${COMPREPLY[*]//$'\\n'/ }"
      done
      """;

  @Test
  void everyCommandAndOption_isOffered() throws Exception {
    assumeBash();
    Map<String, Set<String>> expected = new HashMap<>();
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    collect("quota", Quota.create(nowhere, nowhere, Map.of(), LabCommands::create), expected);
    assertThat(expected).hasSizeGreaterThan(50);

    List<String> lines = List.copyOf(expected.keySet());
    List<String> offered = offered(lines);

    for (int i = 0; i < lines.size(); i++) {
      assertThat(offered.get(i).split("\\s+"))
          .as(lines.get(i))
          .containsAll(expected.get(lines.get(i)));
    }
  }

  @Test
  void wordsThatAreNone_areNotOffered() throws Exception {
    assumeBash();
    assertThat(offered(List.of("quota top", "quota rules --nosuch"))).containsExactly("topics", "");
  }

  /** After a command a subcommand, and after a dash an option. */
  private static void collect(String path, CommandLine command, Map<String, Set<String>> expected) {
    if (!command.getSubcommands().isEmpty()) {
      Set<String> names = new HashSet<>(command.getSubcommands().keySet());
      names.removeIf(name -> isHidden(command.getSubcommands().get(name)));
      expected.put(path + " ", names);
    }
    Set<String> options = new HashSet<>();
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.hidden()) {
        options.addAll(List.of(option.names()));
      }
    }
    if (!options.isEmpty()) {
      expected.put(path + " -", options);
    }
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              if (!isHidden(sub)) {
                collect(path + " " + name, sub, expected);
              }
            });
  }

  private static boolean isHidden(CommandLine command) {
    return command.getCommandSpec().usageMessage().hidden();
  }

  private static List<String> offered(List<String> lines) throws Exception {
    Process bash =
        new ProcessBuilder("bash", "--norc", "-c", ASK, "bash", COMPLETION.toString())
            .redirectErrorStream(true)
            .start();
    try (var in = bash.outputWriter(StandardCharsets.UTF_8)) {
      for (String line : lines) {
        in.write(line + "\n");
      }
    }
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(said).isZero();
    List<String> offered = new ArrayList<>(said.lines().toList());
    assertThat(offered).as(said).hasSameSizeAs(lines);
    return offered;
  }

  private static void assumeBash() {
    boolean isThere =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "bash")));
    assumeThat(isThere).as("bash is not here: what it completes is not asked").isTrue();
  }
}
