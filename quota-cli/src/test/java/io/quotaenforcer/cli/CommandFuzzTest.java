package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.fuzz.ExtremeText;
import io.quotaenforcer.enforcer.fuzz.Fuzzing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands that read files of people: whatever is in them, there is an answer or an error that says
 * what is wrong, soon.
 */
@Timeout(1_000)
class CommandFuzzTest {
  private static final Duration TIME = Fuzzing.time(2);
  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final Path SAMPLES = Path.of("..", "topology-docs", "samples");
  private static final int LOG_LINES = 200;

  @TempDir Path folder;

  @FunctionalInterface
  private interface Reading {
    QuotaRun of(Path file);
  }

  @Test
  void rules_ofAnyText_areReadOrRefused() throws IOException {
    String rules = Files.readString(SAMPLES.resolve("access-rules.yaml"));
    fuzz("rules.yaml", rules, file -> QuotaRun.of("rules", "validate", file.toString()));
  }

  @Test
  void rulesOfEnvoy_ofAnyText_areReadOrRefused() throws IOException {
    String rules =
        """
        domain: messaging
        descriptors:
          - key: message_type
            value: marketing
            descriptors:
              - key: to_number
                value: "*"
                rate_limit:
                  unit: day
                  requests_per_unit: 5
          - key: path
            value: /api/*/action
            rate_limit: {unit: minute, unit_multiplier: 2, requests_per_unit: 100}
        """;
    fuzz("envoy.yaml", rules, file -> QuotaRun.of("rules", "import-envoy", file.toString()));
  }

  @Test
  void logs_ofAnyText_areReadOrRefused() throws IOException {
    byte[] packed = Files.readAllBytes(SAMPLES.resolve("access.log.gz"));
    String all =
        new String(
            new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes(),
            StandardCharsets.UTF_8);
    List<String> lines = all.lines().limit(LOG_LINES).toList();
    String rules = "--rules=" + SAMPLES.resolve("access-rules.yaml");
    fuzz(
        "access.log",
        String.join("\n", lines),
        file -> QuotaRun.of("backtest", rules, "--log=" + file));
  }

  private void fuzz(String name, String text, Reading reading) throws IOException {
    ExtremeText texts = new ExtremeText(Fuzzing.SEED);
    Path file = folder.resolve(name);
    long until = System.nanoTime() + TIME.toNanos();
    int read = 0;
    int refused = 0;
    do {
      String next = texts.next(text);
      Files.writeString(file, next);
      long began = System.nanoTime();
      QuotaRun run = reading.of(file);
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .as("seed %d, text %d: %s", Fuzzing.SEED, read, next)
          .isLessThan(LONGEST);
      assertThat(run.err())
          .as("seed %d, text %d: %s", Fuzzing.SEED, read, next)
          .doesNotContain("mistake in the program");
      assertThat(run.exitCode()).as(next).isBetween(ExitCode.DONE, ExitCode.USAGE);
      assertThat(run.exitCode() == ExitCode.DONE || isReason(run.err(), file))
          .as("seed %d, text %d: %s: %s", Fuzzing.SEED, read, run.err(), next)
          .isTrue();
      read++;
      refused += run.exitCode() == ExitCode.DONE ? 0 : 1;
    } while (System.nanoTime() < until);
    System.out.printf(
        "fuzz: %,d texts as %s, %,d refused, seed %d%n", read, name, refused, Fuzzing.SEED);
    assertThat(refused).isLessThan(read);
  }

  /** Reason with a file, and the line and column if known. */
  private static boolean isReason(String err, Path file) {
    return err.startsWith("error: ") || err.startsWith(file.toString());
  }
}
