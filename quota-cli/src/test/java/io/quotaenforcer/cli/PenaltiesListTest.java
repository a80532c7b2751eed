package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PenaltiesListTest {
  private static final String ALL =
      "\"partitions\":{\"answered\":[1],\"elsewhere\":[],\"missing\":[]}";

  private FakeEnforcer first;
  private FakeEnforcer second;

  @BeforeEach
  void start() throws Exception {
    second = new FakeEnforcer(question -> answer(false, ALL, "b", "d"));
    first = new FakeEnforcer(question -> answer(false, elsewhere(), "a", "c"));
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  private String elsewhere() {
    return ("\"partitions\":{\"answered\":[0],\"elsewhere\":[{\"enforcer\":\"%s\","
            + "\"partitions\":[1]}],\"missing\":[]}")
        .formatted(second.address());
  }

  private static String answer(boolean more, String coverage, String... accounts) {
    String rows =
        Stream.of(accounts)
            .map(
                account ->
                    ("{\"quotaKey\":\"logins/per-account/%s\",\"rule\":\"logins/per-account\","
                            + "\"mode\":\"enforce\",\"since\":\"1970-01-01T00:00:01Z\","
                            + "\"until\":\"1970-01-01T00:01:01Z\",\"inARow\":2}")
                        .formatted(account))
            .collect(Collectors.joining(","));
    return "{\"penalties\":[%s],\"more\":%s,%s}".formatted(rows, more, coverage);
  }

  private QuotaRun run(String... arguments) {
    List<String> line = new ArrayList<>(List.of("penalties", "list"));
    line.addAll(List.of(arguments));
    line.addAll(List.of("--enforcer", first.address()));
    return QuotaRun.of(line.toArray(String[]::new));
  }

  @Test
  void list_isInOrderOverTheEnforcers_andSaysHowToGoOn() {
    QuotaRun run = run("--limit", "3");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines())
        .containsExactly(
            "RULE                MODE     SINCE                 UNTIL                 IN A ROW"
                + "  QUOTA KEY",
            "logins/per-account  enforce  1970-01-01T00:00:01Z  1970-01-01T00:01:01Z         2"
                + "  logins/per-account/a",
            "logins/per-account  enforce  1970-01-01T00:00:01Z  1970-01-01T00:01:01Z         2"
                + "  logins/per-account/b",
            "logins/per-account  enforce  1970-01-01T00:00:01Z  1970-01-01T00:01:01Z         2"
                + "  logins/per-account/c",
            "more: --after logins/per-account/c");
    assertThat(first.asked()).containsExactly("/v1/penalties?limit=3");
    assertThat(second.asked()).hasSize(1).allMatch(question -> question.contains("partitions=1"));
  }

  @Test
  void list_asJson_hasWhatEnforcersSay() {
    first.answers = question -> answer(false, ALL, "a");

    QuotaRun run =
        run("-o", "json", "--rule", "logins/per-account", "--after", "logins/per-account/0");

    assertThat(run.out())
        .contains(
            "\"quotaKey\" : \"logins/per-account/a\"",
            "\"until\" : \"1970-01-01T00:01:01Z\"",
            "\"inARow\" : 2",
            "\"more\" : false",
            "\"missing\" : [ ]");
    assertThat(first.asked())
        .allMatch(question -> question.contains("rule=logins%2Fper-account"))
        .allMatch(question -> question.contains("after=logins%2Fper-account%2F0"));
  }

  @Test
  void nobody_isSaid_butNotWhereAPartitionDoesNotAnswer() {
    first.answers = question -> answer(false, ALL);
    assertThat(run().out()).isEqualTo("No quota key is under a penalty.\n");

    first.answers =
        question ->
            answer(false, "\"partitions\":{\"answered\":[],\"elsewhere\":[],\"missing\":[3]}");
    QuotaRun run = run();

    assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(run.out()).doesNotContain("No quota key");
    assertThat(run.err()).contains("no enforcer answers for partition(s) 3");
  }

  @Test
  void wrongOptions_areRefused() {
    assertThat(run("--limit", "0").err()).contains("must be from 1 to 10000: --limit=0");
    assertThat(run("--after", "nothing").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run("--rule", "nothing").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(first.asked()).isEmpty();
  }
}
