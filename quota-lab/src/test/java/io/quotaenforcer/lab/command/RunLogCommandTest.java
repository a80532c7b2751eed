package io.quotaenforcer.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.cli.Samples;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.lab.runlog.SampleLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Output of {@code quota run-log} for a wrong command line or file, before anything is started. */
class RunLogCommandTest {
  private static final String RULES =
      """
      domain: web
      rules:
        - id: per-host
          key: [host]
          limit: {permits: 30, per: 1m}
      """;

  @TempDir private Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("rules.yaml"), RULES);
    Files.writeString(folder.resolve("bad.yaml"), RULES.replace("permits", "permit"));
    Files.writeString(folder.resolve("log.csv"), "when,host\n2024-05-01T12:00:00Z,a\n");
    Files.write(folder.resolve("cut.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
    Files.writeString(folder.resolve("access.log"), "no line of a log\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FOLDER/none --format combined --rules FOLDER/rules.yaml | there is no such file:",
        "FOLDER --format combined --rules FOLDER/rules.yaml | is a directory; name a file:",
        "FOLDER/access.log --format xml --rules FOLDER/rules.yaml"
            + " | must be combined or csv: --format=xml",
        "FOLDER/access.log --format combined --rules FOLDER/none.yaml"
            + " | none.yaml:1:1: there is no such file",
        "FOLDER/access.log --format combined --rules FOLDER/bad.yaml"
            + " | bad.yaml:5:13: unknown key \"permit\"; did you mean \"permits\"?",
        "FOLDER/log.csv --format csv --rules FOLDER/rules.yaml"
            + " | no column is called timestamp: --time (one of when, host)",
        "FOLDER/log.csv --format csv --time at --rules FOLDER/rules.yaml"
            + " | must be one of when, host: --time=at",
        "FOLDER/log.csv --format csv --time when --cost tokens --rules FOLDER/rules.yaml"
            + " | must be one of when, host: --cost=tokens",
        "FOLDER/access.log --format combined --time when --rules FOLDER/rules.yaml"
            + " | --time and --cost are for --format csv only",
        "FOLDER/cut.gz --format combined --rules FOLDER/rules.yaml | must be a whole gzip file:",
        "FOLDER/access.log --format combined --rules FOLDER/rules.yaml --speed 0"
            + " | must be a whole number from 1 to 100000: --speed=0",
        "FOLDER/access.log --format combined --rules FOLDER/rules.yaml --speed 100001"
            + " | must be a whole number from 1 to 100000: --speed=100001",
        "FOLDER/access.log --format combined --rules FOLDER/rules.yaml --speed 1.5"
            + " | '1.5' is not a long",
        "FOLDER/access.log --format combined --rules FOLDER/rules.yaml --instances 0"
            + " | must be a whole number from 1 to 64: --instances=0",
        "FOLDER/access.log --format combined --rules FOLDER/rules.yaml --json FOLDER/no/r.json"
            + " | cannot be written: --json=",
        "FOLDER/access.log --format combined --rules FOLDER/rules.yaml --json FOLDER"
            + " | cannot be written: --json=",
        "FOLDER/access.log --format combined --rules FOLDER/rules.yaml"
            + " | no line can be read in this format; line 1 must be: host ident user",
        "FOLDER/access.log --format combined | Missing required option: '--rules=FILE'",
        "FOLDER/access.log --rules FOLDER/rules.yaml"
            + " | Missing required option: '--format=combined|csv'",
      })
  void runLog_badInput_saysWhatIsWrong(String arguments, String message) {
    QuotaRun run = runLog(arguments);

    assertThat(run.err()).startsWith("error: ").contains(message).doesNotContain("\tat ");
    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void sampleLog_always_isTheCommittedOne() throws IOException {
    Path file = folder.resolve("sample.log.gz");

    QuotaRun run = QuotaRun.of(LabCommands::create, "sample-log", file.toString());

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("wrote " + SampleLog.LINES + " lines");
    assertThat(unzipped(file)).isEqualTo(unzipped(Samples.LOG));
  }

  private static byte[] unzipped(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return in.readAllBytes();
    }
  }

  private QuotaRun runLog(String arguments) {
    List<String> words = new ArrayList<>(List.of("run-log"));
    words.addAll(List.of(arguments.replace("FOLDER", folder.toString()).split(" ")));
    return QuotaRun.of(LabCommands::create, words.toArray(String[]::new));
  }
}
