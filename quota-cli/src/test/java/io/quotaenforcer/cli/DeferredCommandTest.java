package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DeferredCommandTest {
  private FakeEnforcer first;
  private FakeEnforcer second;

  @BeforeEach
  void start() throws Exception {
    second = new FakeEnforcer(question -> "");
    first = new FakeEnforcer(question -> "");
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  @Test
  void stats_areSummedUpOverTheEnforcers() {
    first.answers = question -> "{\"queues\":[" + queue(1, 2) + "]," + elsewhere() + "}";
    second.answers = question -> "{\"queues\":[" + queue(10, 1) + "]," + covered() + "}";

    QuotaRun run = run("stats", "--rule", "posts/per-user");

    assertThat(run.out().lines())
        .containsExactly(
            "RULE            KEYS  EXPEDITED  HIGH  NORMAL  LOW  WAITING  BYTES  UNACKNOWLEDGED"
                + "  OLDEST SINCE",
            "posts/per-user     2          0    11       0    0       11  1,100               2"
                + "  1970-01-01T00:00:01Z");
    assertThat(run.err()).isEmpty();
    assertThat(first.asked()).containsExactly("/v1/deferred/stats?rule=posts%2Fper-user");
    assertThat(second.asked()).hasSize(1).allMatch(question -> question.contains("partitions=1"));
  }

  @Test
  void list_isInOrderOverTheEnforcers_andSaysHowToGoOn() {
    first.answers =
        question ->
            "{\"requests\":["
                + request("a", 1)
                + ","
                + request("c", 3)
                + "],\"more\":true,"
                + elsewhere()
                + "}";
    second.answers =
        question ->
            "{\"requests\":["
                + request("b", 2)
                + ","
                + request("d", 4)
                + "],\"more\":false,"
                + covered()
                + "}";

    QuotaRun run =
        run(
            "list",
            "--rule",
            "posts/per-user",
            "--after",
            "posts/per-user/1:low:1",
            "--limit",
            "3");

    assertThat(run.out().lines())
        .containsExactly(
            "ID  STATE    LANE    COST  BYTES  DEFERRED AT           DEADLINE  QUOTA KEY",
            "a   waiting  normal     1     60  1970-01-01T00:00:01Z         -  posts/per-user/7",
            "b   waiting  normal     1     60  1970-01-01T00:00:01Z         -  posts/per-user/7",
            "c   waiting  normal     1     60  1970-01-01T00:00:01Z         -  posts/per-user/7",
            "more: --after posts/per-user/7:normal:3");
    assertThat(run("list", "--rule", "posts/per-user", "-o", "json", "--limit", "3").out())
        .contains("\"more\" : true", "\"missing\" : [ ]");
  }

  @Test
  void list_ofMoreThanAnAnswerHolds_isPutTogetherOfPages() {
    first.answers = question -> page(question, 2_500);

    QuotaRun run = run("list", "--rule", "posts/per-user", "--limit", "2300");

    List<String> rows = run.out().lines().filter(line -> line.startsWith("r")).toList();
    assertThat(rows).hasSize(2_300).doesNotHaveDuplicates();
    assertThat(run.out().lines().skip(2_301))
        .containsExactly("more: --after posts/per-user/7:normal:2300");
    assertThat(first.asked())
        .extracting(question -> DeferredCommandTest.parameter(question, "limit", 0))
        .containsExactly(1_000, 1_000, 300);

    assertThat(run("list", "--rule", "posts/per-user", "--limit", "10000", "-o", "json").out())
        .contains("\"more\" : false", "\"r2500\"");
  }

  @Test
  void enforcerThatIsBusy_isAskedAgain() {
    first.answers = question -> "{\"queues\":[" + queue(1, 1) + "]," + covered() + "}";
    first.busy.set(2);

    QuotaRun run = run("stats");

    assertThat(run.exitCode()).isZero();
    assertThat(first.asked()).hasSize(3);
  }

  /** The answer of an enforcer that has {@code all} requests, and gives up to 1,000 at a time. */
  private static String page(String question, int all) {
    int from = parameter(question, "normal%3A", 0) + 1;
    int to = Math.min(all, from - 1 + Math.min(1_000, parameter(question, "limit=", 100)));
    String requests =
        IntStream.rangeClosed(from, to)
            .mapToObj(i -> request("r" + i, i))
            .collect(Collectors.joining(","));
    return "{\"requests\":[%s],\"more\":%s,%s}".formatted(requests, to < all, covered());
  }

  private static int parameter(String question, String name, int otherwise) {
    Matcher matcher = Pattern.compile(name + "=?([0-9]+)").matcher(question);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : otherwise;
  }

  @Test
  void partitionThatNobodyAnswersFor_isNotPassedOverInSilence() {
    first.answers =
        question ->
            "{\"queues\":[],\"partitions\":{\"answered\":[],\"elsewhere\":[],\"missing\":[3]}}";

    QuotaRun run = run("stats");

    assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(run.err())
        .isEqualTo(
            "warning: incomplete: no enforcer answers for partition(s) 3, which are being restored"
                + " or moved; ask again soon\n");
    assertThat(first.asked()).hasSizeGreaterThan(2);
  }

  @Test
  void partitionThatComesBack_isAskedForOnceMore() {
    first.answers =
        question ->
            question.contains("partitions=3")
                ? "{\"queues\":[" + queue(1, 1) + "]," + covered() + "}"
                : "{\"queues\":[],\"partitions\":{\"missing\":[3]}}";

    QuotaRun run = run("stats");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("posts/per-user");
  }

  @Test
  void request_isShownWithItsPayload_forTheToken(@TempDir Path folder) throws IOException {
    String token = Files.writeString(folder.resolve("token"), "0123456789abcdef\n").toString();
    first.answers =
        question ->
            question.contains("id=a%2F1")
                ? "{\"requests\":[{\"id\":\"a/1\",\"headers\":{\"x\":\"y\"},\"payloadBytes\":7,"
                    + "\"payload\":\"a\\nb\\u001b[0m\"}],"
                    + covered()
                    + "}"
                : "{\"requests\":[]," + covered() + "}";

    assertThat(run("show", "a/1", "--payload", "--token-file", token).out().lines())
        .containsExactly(
            "id: a/1", "headers.x: y", "payloadBytes: 7", "payload:", "a", "b\\u001b[0m");
    assertThat(first.authorization).isEqualTo("Bearer 0123456789abcdef");
    assertThat(run("show", "a/1", "--payload").err()).contains("--payload needs --token-file");
    QuotaRun none = run("show", "b");
    assertThat(none.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(none.err())
        .isEqualTo(
            "error: no such request: b; it has been run, is a dead letter (quota dead-letters"
                + " list), or was never deferred\n");
  }

  @Test
  void cancel_ofWhatDoesNotWait_saysWhy() {
    first.answers =
        question ->
            question.contains("id=ran")
                ? "{\"requests\":["
                    + request("ran", 1).replace("waiting", "released")
                    + "],"
                    + covered()
                    + "}"
                : "{\"requests\":[]," + covered() + "}";

    QuotaRun run = run("cancel", "ran", "nobody");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out().lines())
        .containsExactly(
            "ID      OUTCOME",
            "ran     released already: a service runs it",
            "nobody  not known: it has been run, is a dead letter, or was never deferred");
  }

  @Test
  void commandLines_thatAreWrong_areExplained() {
    assertThat(wrong("list")).isEqualTo("error: must be given: --rule, or --key");
    assertThat(wrong("list", "--rule", "a/b", "--key", "a/b/c"))
        .isEqualTo("error: must be given only one of: --rule, --key");
    assertThat(wrong("list", "--rule", "a/b", "--limit", "0"))
        .isEqualTo("error: must be from 1 to 10000: --limit=0");
    assertThat(wrong("stats", "--by-key", "--limit", "1001"))
        .isEqualTo("error: must be from 1 to 1000: --limit=1001");
    assertThat(wrong("stats", "--key", "a"))
        .contains("'--key': must be domain/rule-id/value...: quotaKey=a");
    assertThat(wrong("stats", "--enforcer", "nowhere"))
        .isEqualTo("error: must be an http:// or https:// URL: --enforcer=nowhere");
    assertThat(first.asked()).isEmpty();
  }

  private String wrong(String... arguments) {
    QuotaRun run = run(arguments);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    return run.err().lines().findFirst().orElseThrow();
  }

  private QuotaRun run(String... arguments) {
    List<String> line = new ArrayList<>(List.of("deferred"));
    line.addAll(List.of(arguments));
    if (!line.contains("--enforcer")) {
      line.addAll(List.of("--enforcer", first.address()));
    }
    return QuotaRun.of(line.toArray(String[]::new));
  }

  private static String queue(int high, int since) {
    return String.format(
        Locale.ROOT,
        "{\"name\":\"posts/per-user\",\"keys\":1,\"waiting\":{\"expedited\":0,\"high\":%d,"
            + "\"normal\":0,\"low\":0},\"total\":%d,\"bytes\":%d,\"unacknowledged\":1,"
            + "\"oldestSince\":\"1970-01-01T00:00:0%dZ\"}",
        high,
        high,
        100 * high,
        since);
  }

  private static String request(String id, int number) {
    return "{\"id\":\"%s\",\"quotaKey\":\"posts/per-user/7\",\"state\":\"waiting\",\"lane\":\"normal\",\"place\":\"posts/per-user/7:normal:%d\",\"cost\":1,\"bytes\":60,\"deferredAt\":\"1970-01-01T00:00:01Z\"}"
        .formatted(id, number);
  }

  private String elsewhere() {
    return "\"partitions\":{\"answered\":[0],\"elsewhere\":[{\"enforcer\":\"%s\",\"partitions\":[1]}],\"missing\":[]}"
        .formatted(second.address());
  }

  private static String covered() {
    return "\"partitions\":{\"answered\":[1],\"elsewhere\":[],\"missing\":[]}";
  }
}
