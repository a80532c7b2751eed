package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code quota backtest} on logs, and what it says to a wrong command line. */
class BacktestCommandTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String RULES =
      """
      domain: llm
      rules:
        - id: tokens-per-tenant
          key: [tenant]
          limit: {permits: 100, per: 1h, algorithm: fixed-window}
          tolerance: 10%
          overrides:
            - {key: {tenant: vip}, limit: {permits: 1000, per: 1h, algorithm: fixed-window}}
            - {key: {tenant: probe}, exempt: true}
        - id: watched
          key: [tenant]
          limit: {permits: 50, per: 1h, algorithm: fixed-window}
          mode: shadow
      """;
  private static final String OLD_RULES =
      """
      domain: llm
      rules:
        - id: tokens-per-tenant
          key: [tenant]
          limit: {permits: 60, per: 1h, algorithm: fixed-window}
        - id: in-all
          limit: {permits: 1000, per: 1h, algorithm: fixed-window}
          enforcement: per-instance
      """;
  private static final String LOG =
      """
      at,tenant,tokens
      2024-05-01T12:00:00Z,a,60
      2024-05-01T12:00:01Z,a,50
      2024-05-01T12:00:03Z,a,1
      2024-05-01T12:00:02Z,vip,900
      2024-05-01T12:00:03Z,probe,5000
      2024-05-01T12:00:04Z,,5
      2024-05-01T12:00:05Z,a
      2024-05-01T13:00:00Z,a,100
      """;

  @TempDir private Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("rules.yaml"), RULES);
    Files.writeString(folder.resolve("old.yaml"), OLD_RULES);
    Files.writeString(folder.resolve("bad.yaml"), RULES.replace("permits", "permit"));
    Files.writeString(folder.resolve("log.csv"), LOG);
    Files.writeString(folder.resolve("empty.csv"), "time,tenant\n");
    Files.writeString(folder.resolve("access.log"), "no line of a log\n");
    Files.write(folder.resolve("cut.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
  }

  @Test
  void backtest_costOverrideToleranceAndShadow_isAsWorkedOutByHand() {
    QuotaRun run =
        backtest("--log FOLDER/log.csv --time at --cost tokens --rules FOLDER/rules.yaml --top 3");

    assertThat(run.out().replace(folder + "/", ""))
        .isEqualTo(
            """
            log.csv, 2024-05-01T12:00:00Z to 2024-05-01T13:00:00Z
            lines 8: admitted 5, throttled 1, matched no rule 1, unreadable 1
              line 8: must have 3 fields: fields=2

            rule                       limit     mode  requests  admitted  throttled  by others  permits
            llm/tokens-per-tenant  100/3600s  enforce         5         4          1          0    1,110
            llm/watched             50/3600s   shadow         6         1          5          0       50

            quota keys throttled most  requests  admitted  throttled  by others
            llm/watched/a                     4         1          3          0
            llm/tokens-per-tenant/a           4         3          1          0
            llm/watched/probe                 1         0          1          0
            """);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void backtest_noRuleMatches_saysWhatRulesWantAndIsNoSuccess() throws IOException {
    Files.writeString(
        folder.resolve("other.yaml"),
        """
        domain: web
        rules:
          - id: per-address
            match: {method: POST}
            key: [ip, tenant]
            limit: {permits: 5, per: 1m}
          - id: per-block
            match: {tenant: {cidr: 10.0.0.0/8}}
            limit: {permits: 5, per: 1m}
        """);

    QuotaRun run = backtest("--log FOLDER/log.csv --time at --rules FOLDER/other.yaml");

    assertThat(run.out())
        .endsWith(
            """
            note: web/per-address matched none of 7 lines: it wants ip, method, tenant; no lines have ip, method
            note: web/per-block matched none of 7 lines: it wants tenant, which some lines have, but not with such values
            note: attributes of the lines: at, tenant, tokens
            NOTHING JUDGED: no rule matched any of the lines
            """);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(
            backtest(
                    "--log FOLDER/log.csv --time at --rules FOLDER/other.yaml"
                        + " --against FOLDER/rules.yaml")
                .exitCode())
        .as("that old rules matched is a difference")
        .isZero();
  }

  @Test
  void backtest_logOfManyMoments_saysThatTheyAreRounded() throws IOException {
    Files.writeString(
        folder.resolve("log.yaml"),
        """
        domain: llm
        rules:
          - id: tokens
            key: [tenant]
            limit: {permits: 150, per: 10s, algorithm: sliding-log}
        """);
    StringBuilder log = new StringBuilder("time,tenant\n");
    for (int i = 0; i < 120; i++) {
      log.append(1_700_000_000_000L + i * 7L).append(",a\n");
    }
    Files.writeString(folder.resolve("many.csv"), log);

    QuotaRun run = backtest("--log FOLDER/many.csv --rules FOLDER/log.yaml");

    assertThat(run.out())
        .contains("note: llm/tokens decided 19 requests by rounded moments: of more than 100")
        .contains("counts up to 0.1 s longer");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void backtest_againstOldRules_saysWhatChanges() {
    QuotaRun run =
        backtest(
            "--log FOLDER/log.csv --time at --cost tokens --rules FOLDER/rules.yaml"
                + " --against FOLDER/old.yaml");

    assertThat(run.out().replace(folder + "/", ""))
        .isEqualTo(
            """
            log.csv, 2024-05-01T12:00:00Z to 2024-05-01T13:00:00Z
            lines 8: admitted 5, throttled 1, matched no rule 1, unreadable 1
              line 8: must have 3 fields: fields=2
            before: admitted 2, throttled 5, matched no rule 0
            newly throttled 0, newly admitted 4

            rule                       limit     mode  requests  admitted  throttled  by others  permits
            llm/tokens-per-tenant  100/3600s  enforce         5         4          1          0    1,110
            llm/watched             50/3600s   shadow         6         1          5          0       50

            change by rule         requests before  admitted before  throttled before  newly throttled  newly admitted
            llm/in-all                           7                2                 1                0               1
            llm/tokens-per-tenant                6                1                 5                0               4
            llm/watched                          0                0                 0                0               0

            quota keys throttled most  requests  admitted  throttled  by others
            llm/watched/a                     4         1          3          0
            llm/tokens-per-tenant/a           4         3          1          0
            llm/watched/probe                 1         0          1          0
            llm/watched/vip                   1         0          1          0
            llm/tokens-per-tenant/vip         1         1          0          0

            quota keys that change most  newly throttled  newly admitted
            llm/tokens-per-tenant/a                    0               2
            llm/in-all                                 0               1
            llm/tokens-per-tenant/probe                0               1
            llm/tokens-per-tenant/vip                  0               1
            """);
  }

  @Test
  void backtest_sampleLog_isAsBefore() throws IOException {
    QuotaRun run =
        backtest("--log " + Samples.LOG + " --rules " + Samples.RULES + " --json FOLDER/r.json");

    assertThat(run.out())
        .isEqualTo(
            """
            ../topology-docs/samples/access.log.gz, 2024-05-01T12:00:00Z to 2024-05-01T12:19:37Z
            lines 4,000: admitted 3,496, throttled 483, matched no rule 13, unreadable 8
              line 61: is empty
              line 215: is empty
              line 1361: is empty
              line 2154: is empty
              line 2685: is empty
              line 3345: must be: host ident user [time] "request" status bytes
              line 3604: must be: host ident user [time] "request" status bytes
              line 3785: must be: host ident user [time] "request" status bytes

            rule                   limit     mode  requests  admitted  throttled  by others  permits
            shop/logins-per-host   5/60s  enforce        89        25         64          0       25
            shop/orders             2/1s  enforce       309       309          0          0      309
            shop/reads-per-host   30/60s  enforce     3,581     3,162        419          0    3,162

            quota keys throttled most              requests  admitted  throttled  by others
            shop/reads-per-host/198.51.100.7            992       573        419          0
            shop/logins-per-host/192.0.2.66              89        25         64          0
            shop/orders                                 309       309          0          0
            shop/reads-per-host/2001%3Adb8%3A%3A1       149       149          0          0
            shop/reads-per-host/192.0.2.1                70        70          0          0
            shop/reads-per-host/192.0.2.3                51        51          0          0
            shop/reads-per-host/192.0.2.2                44        44          0          0
            shop/reads-per-host/192.0.2.4                37        37          0          0
            shop/reads-per-host/192.0.2.7                34        34          0          0
            shop/reads-per-host/2001%3Adb8%3A%3A6        31        31          0          0
            """);
    JsonNode json = MAPPER.readTree(folder.resolve("r.json").toFile());
    assertThat(json.path("read").asLong())
        .isEqualTo(json.path("requests").asLong() + json.path("unreadable").asLong());
    assertThat(json.path("requests").asLong())
        .isEqualTo(
            json.path("admitted").asLong()
                + json.path("throttled").asLong()
                + json.path("unmatched").asLong());
    assertThat(json.path("perRule")).hasSize(3);
    assertThat(json.path("unreadableFirst").path(0).path("place").asText()).startsWith("line ");
    assertThat(json.has("against")).isFalse();
  }

  @Test
  void backtest_asJson_isTheReportAlone() throws IOException {
    QuotaRun run =
        backtest(
            "-o json --log FOLDER/log.csv --time at --rules FOLDER/rules.yaml"
                + " --against FOLDER/rules.yaml --top 1");

    JsonNode json = MAPPER.readTree(run.out());
    assertThat(json.path("topKeys")).hasSize(1);
    assertThat(json.path("against").path("newlyThrottled").asLong()).isZero();
    assertThat(json.path("against").path("perRule")).hasSize(2);
    assertThat(run.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--rules FOLDER/rules.yaml | must be given, one of them: --log=FILE, --events-from=TIME",
        "--rules FOLDER/rules.yaml --log FOLDER/log.csv --events-from 1h"
            + " | must be given, one of them: --log=FILE, --events-from=TIME",
        "--log FOLDER/log.csv | Missing required option: '--rules=FILE'",
        "--rules FOLDER/rules.yaml --events-from 1h --format csv"
            + " | --format, --time and --cost are for --log only",
        "--rules FOLDER/rules.yaml --events-from yesterday | must be a duration such as 24h, a"
            + " date, or a time such as 2026-01-31T12:00:00Z: --events-from=yesterday",
        "--rules FOLDER/rules.yaml --events-from 2026-13-01 | --events-from=2026-13-01",
        "--rules FOLDER/rules.yaml --events-from 9999-01-01"
            + " | must be in the past: --events-from=9999-01-01",
        "--rules FOLDER/rules.yaml --log FOLDER/none | there is no such file:",
        "--rules FOLDER/rules.yaml --log FOLDER | is a directory; name a file:",
        "--rules FOLDER/none.yaml --log FOLDER/log.csv | none.yaml:1:1: there is no such file",
        "--rules FOLDER/bad.yaml --log FOLDER/log.csv | bad.yaml:5:13: unknown key \"permit\"",
        "--rules FOLDER/rules.yaml --against FOLDER/bad.yaml --log FOLDER/log.csv"
            + " | bad.yaml:5:13: unknown key \"permit\"",
        "--rules FOLDER/rules.yaml --log FOLDER/log.csv"
            + " | no column is called timestamp: --time (one of at, tenant, tokens)",
        "--rules FOLDER/rules.yaml --log FOLDER/access.log"
            + " | no line can be read in this format; line 1 must be: host ident user",
        "--rules FOLDER/rules.yaml --log FOLDER/access.log --format xml"
            + " | must be combined or csv: --format=xml",
        "--rules FOLDER/rules.yaml --log FOLDER/access.log --cost bytes"
            + " | --time and --cost are for --format csv only",
        "--rules FOLDER/rules.yaml --log FOLDER/empty.csv | the log has no lines",
        "--rules FOLDER/rules.yaml --log FOLDER/cut.gz | must be a whole gzip file:",
        "--rules FOLDER/rules.yaml --log FOLDER/log.csv --time at --top -1"
            + " | must be a whole number from 0 to 10000: --top=-1",
        "--rules FOLDER/rules.yaml --log FOLDER/log.csv --time at --json FOLDER/no/r.json"
            + " | cannot be written: --json=",
      })
  void backtest_badInput_saysWhatIsWrong(String arguments, String message) {
    QuotaRun run = backtest(arguments);

    assertThat(run.err()).startsWith("error: ").contains(message).doesNotContain("\tat ");
    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void backtest_withoutABroker_saysSoWithinSeconds() {
    QuotaRun run =
        backtest("--rules FOLDER/rules.yaml --events-from 24h --bootstrap-server 127.0.0.1:1");

    assertThat(run.err()).startsWith("error: cannot reach Kafka at 127.0.0.1:1");
    assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
  }

  private QuotaRun backtest(String arguments) {
    List<String> words = new ArrayList<>(List.of("backtest"));
    words.addAll(List.of(arguments.replace("FOLDER", folder.toString()).split(" ")));
    return QuotaRun.of(words.toArray(String[]::new));
  }
}
