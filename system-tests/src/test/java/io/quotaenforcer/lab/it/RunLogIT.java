package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.cli.Samples;
import io.quotaenforcer.cli.Traces;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.lab.command.LabCommands;
import io.quotaenforcer.lab.runlog.SampleLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code quota run-log} as a function, on a real broker, enforcer and instances. */
@Timeout(360)
class RunLogIT {
  /** A third of a window of the log. */
  private static final double LONGEST_LOOP_LOG_SECONDS = 20;

  @TempDir private Path folder;

  @Test
  void runLog_sample_keepsEveryPromiseAndSumsUp() throws IOException {
    QuotaRun run = runLog(Samples.LOG, "combined", Samples.RULES, 120);

    JsonNode json = json();
    assertSums(json, SampleLog.LINES);
    assertThat(json.get("unparsed").asLong()).isPositive();
    assertThat(json.get("throttled").asLong()).isPositive();
    assertThat(json.get("perRule")).hasSize(3);
    assertThat(json.get("topClients").get(0).get("quotaKey").asText())
        .isEqualTo("shop/reads-per-host/198.51.100.7");
    assertThat(json.get("speed").asLong()).isEqualTo(120);
    assertKept(run, json);
    assertThat(json.get("admitted").asLong()).isPositive();
    assertThat(run.out()).contains("PROMISES KEPT").contains("s of the log's time");
    assertThat(run.err()).contains("100 %");
  }

  /** As fast as that, it is served only by processes that have the machine to themselves. */
  @Test
  @Tag("alone")
  void runLog_noWait_saysWhoIsTurnedAway() throws IOException {
    QuotaRun run = runLog(Samples.LOG, "combined", Samples.RULES, 600, "--no-wait");

    JsonNode json = json();
    assertSums(json, SampleLog.LINES);
    assertKept(run, json);
    assertThat(json.get("waitLogSeconds").asDouble()).as("nothing waits for a loop").isLessThan(6);
    assertThat(json.get("turnedAway").asLong())
        .isBetween(0L, json.get("oneProcessAdmitted").asLong());
    assertThat(json.get("turnedAwayPct").asDouble()).isBetween(0.0, 100.0);
    assertThat(json.get("innocentsTurnedAwayPct").asDouble()).isBetween(0.0, 100.0);
    assertThat(run.out()).contains("of these turned away");
  }

  @Test
  void runLog_brokenLines_areCountedShownAndSkipped() throws IOException {
    Path log = folder.resolve("broken.csv");
    Files.writeString(
        log,
        """
        at,tenant,tokens
        2024-05-01T12:00:00Z,a,10
        2024-05-01T12:00:00Z,a
        yesterday,a,10

        2024-05-01T12:00:01Z,a,-3
        2024-05-01T11:59:59Z,b,40
        2024-05-01T12:00:02Z,,7
        2024-05-01T12:00:02Z,"a,10
        2024-05-01T12:00:03Z,a,60
        """);
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(
        rules,
        """
        domain: llm
        rules:
          - id: tokens
            key: [tenant]
            limit: {permits: 50, per: 1h, algorithm: fixed-window}
            enforcement: strict
        """);

    QuotaRun run = runLog(log, "csv", rules, 1, "--time", "at", "--cost", "tokens");

    JsonNode json = json();
    assertSums(json, 9);
    assertThat(json.get("unparsed").asLong()).isEqualTo(5);
    assertThat(json.get("unmatched").asLong()).isEqualTo(1);
    assertThat(json.get("admitted").asLong()).isEqualTo(2);
    assertThat(json.get("throttled").asLong()).isEqualTo(1);
    assertKept(run, json);
    assertThat(run.out())
        .contains("line 3: must have 3 fields: fields=2")
        .contains("line 4: must be a time: at=yesterday")
        .contains("line 5: is empty")
        .contains("line 6: must be a whole number >= 1: tokens=-3")
        .contains("line 9: must close its quoted fields before the end of the log");
  }

  @Test
  void runLog_ruleOnAnAttributeThatTheLogLacks_judgesNothingAndSaysWhy() throws IOException {
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(
        rules,
        """
        domain: web
        rules:
          - id: per-address
            key: [ip]
            limit: {permits: 5, per: 1m}
        """);

    QuotaRun run = runLog(Samples.LOG, "combined", rules, 100_000);

    assertThat(run.out())
        .contains(
            "note: web/per-address matched none of 3,992 lines: it wants ip; no lines have ip")
        .contains("note: attributes of the lines: agent, bytes, host, method, path,")
        .endsWith("NOTHING JUDGED: no rule matched any line\n")
        .doesNotContain("PROMISES");
    assertThat(json().get("kept").asBoolean()).isFalse();
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  /** As fast as that, it is served only by processes that have the machine to themselves. */
  @Test
  @Tag("alone")
  void runLog_sliceOfARealLog_keepsEveryPromise() throws IOException {
    JsonNode json = runSlice(5_000, 600);

    assertThat(json.get("admitted").asLong()).isPositive();
  }

  /** Slow enough that a loop is short beside a minute of the log, on a busy machine too. */
  @Test
  void runLog_loopsShorterThanTheWindows_admitsWhatOneProcessWould() throws IOException {
    JsonNode json = runSlice(600, 60);

    double loop = json.get("loopLogSeconds").asDouble();
    assumeThat(loop)
        .as("SKIPPED in part: a loop took %s s of a window of 60 on this machine", loop)
        .isLessThan(LONGEST_LOOP_LOG_SECONDS);
    assertThat(json.get("admitted").asLong())
        .as("admitted; one loop was %s s of the log's time", json.get("loopLogSeconds"))
        .isCloseTo(json.get("oneProcessAdmitted").asLong(), Percentage.withPercentage(5));
  }

  private JsonNode runSlice(int lines, long speed) throws IOException {
    Path log = slice(Traces.require("nasa_19950801.log.gz"), 15_000, lines);
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(
        rules,
        """
        domain: nasa
        rules:
          - id: per-host
            key: [host]
            limit: {permits: 30, per: 1m}
          - id: per-host-strict
            key: [host]
            limit: {permits: 20, per: 1m, algorithm: fixed-window}
            enforcement: strict
          - id: service
            limit: {permits: 300, per: 1m}
            enforcement: strict
        """);

    QuotaRun run = runLog(log, "combined", rules, speed);

    JsonNode json = json();
    assertSums(json, lines);
    assertThat(json.get("unparsed").asLong()).isZero();
    assertKept(run, json);
    return json;
  }

  private QuotaRun runLog(Path log, String format, Path rules, long speed, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run-log",
                log.toString(),
                "--format",
                format,
                "--rules",
                rules.toString(),
                "--speed",
                Long.toString(speed),
                "--json",
                jsonFile().toString()));
    arguments.addAll(List.of(more));
    return QuotaRun.of(LabCommands::create, arguments.toArray(String[]::new));
  }

  private static void assertSums(JsonNode json, long lines) {
    assertThat(json.get("lines").asLong()).isEqualTo(lines);
    assertThat(
            json.get("unparsed").asLong()
                + json.get("admitted").asLong()
                + json.get("throttled").asLong()
                + json.get("unmatched").asLong())
        .isEqualTo(lines);
    for (JsonNode rule : json.get("perRule")) {
      assertThat(rule.get("admitted").asLong() + rule.get("throttled").asLong())
          .isEqualTo(rule.get("requests").asLong());
    }
  }

  private static void assertKept(QuotaRun run, JsonNode json) {
    assertThat(json.get("overAdmittedStrict").asLong()).isZero();
    assertThat(json.get("overAdmittedBalanced").asLong())
        .isLessThanOrEqualTo(json.get("balancedBound").asLong());
    assertThat(json.get("countedExactly").asBoolean()).isTrue();
    assertThat(json.get("loopLogSeconds").asDouble()).isPositive();
    assertThat(json.get("kept").asBoolean()).as("%s", json.get("broken")).isTrue();
    assertThat(run.exitCode()).isZero();
  }

  private Path jsonFile() {
    return folder.resolve("report.json");
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(jsonFile().toFile());
  }

  private Path slice(Path log, long skip, int lines) throws IOException {
    Path slice = folder.resolve("slice.log");
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(log)), StandardCharsets.UTF_8))) {
      Files.write(slice, reader.lines().skip(skip).limit(lines).toList());
    }
    return slice;
  }
}
