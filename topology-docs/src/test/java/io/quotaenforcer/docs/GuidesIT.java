package io.quotaenforcer.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.core.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Types every command of the pages in order, on one broker, as someone who reads page by page. */
@Timeout(540)
@TestMethodOrder(OrderAnnotation.class)
class GuidesIT {
  /** Those that have commands, in the order in which they are read. */
  static final List<String> PAGES =
      List.of(
          "README.md",
          "topology-docs/rules.md",
          "topology-docs/deferral.md",
          "topology-docs/backtest.md",
          "topology-docs/running.md");

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Counts, waiting requests and dead letters show once the enforcer has committed them. */
  private static final Pattern READS =
      Pattern.compile("\\./quota (usage get|deferred (stats|list|show)|dead-letters list) ");

  @TempDir static Path folder;

  private static Terminal terminal;

  @BeforeAll
  static void openTerminal() throws IOException {
    terminal = new Terminal(folder);
  }

  @AfterAll
  static void closeTerminal() throws InterruptedException {
    terminal.close();
  }

  @Test
  @Order(1)
  void readme_typedAndItsJavaRun_doesWhatItSays() throws Exception {
    type(
        "README.md",
        Map.of(
            "./quota topics create", "quota.snapshots",
            "./quota rules apply", "posts/accounts-per-address",
            "./quota check", "admitted by posts/posts-per-user/42: limit 120",
            "./quota usage get", "posts/posts-per-user/42",
            "./quota rules explain", "posts/posts-per-user matches",
            "./quota rules history", "added: 120 per 1m by user",
            "./quota backtest", "newly throttled 23"));

    awaitUsed(1);
    ReadmeSnippets snippets = new ReadmeSnippets(terminal.bootstrapServers());
    Map<String, String> headers = new HashMap<>();
    snippets.embed(headers::put);
    assertThat(snippets.done()).containsExactly("created");
    assertThat(headers)
        .containsEntry("X-RateLimit-Limit", "120")
        .containsEntry("RateLimit-Policy", "\"posts-per-user\";q=120;w=60");
    awaitUsed(2);
    snippets.emit();
    awaitUsed(3);

    try (AdmissionClient client =
            AdmissionClient.builder().bootstrapServers(terminal.bootstrapServers()).build();
        ReplayRunner runner = snippets.replay(client)) {
      assertThat(client.awaitRules(TIMEOUT)).isTrue();
      // The rule is balanced: what one loop admits too much is a debt, paid by 2 permits a second.
      // Asking slowly keeps it small, as the first replay is admitted after it.
      await()
          .pollInterval(Duration.ofMillis(20))
          .atMost(TIMEOUT)
          .until(
              () -> {
                snippets.defer(client, "hello".getBytes(UTF_8));
                return snippets.done().contains("deferred");
              });
      await()
          .atMost(TIMEOUT.multipliedBy(3))
          .until(() -> snippets.done().contains("created later: hello"));
    }
  }

  @Test
  @Order(2)
  void rules_historyIsTyped_goesBack() throws Exception {
    MarkdownFile page = MarkdownFile.read("topology-docs/rules.md");
    String overrides =
        page.blocks("yaml").stream().filter(it -> it.contains("vip-7")).findFirst().orElseThrow();
    Path file = folder.resolve("rules.yaml");
    // The first version is the README's.
    for (String earlier : List.of(page.blocks("yaml").get(0), overrides)) {
      Files.writeString(file, earlier);
      terminal.type("./quota rules apply rules.yaml").done();
    }
    Files.writeString(file, page.blocks("yaml").get(0));

    type(
        page.toString(),
        Map.of(
            "./quota rules apply", "posts/posts-per-user",
            "./quota rules history", "twice as much for the sale",
            "./quota rules rollback posts/posts-per-user", "back to version 3",
            "./quota rules rollback posts ", "posts/posts-per-user"));
  }

  @Test
  @Order(3)
  void deferral_operatorsCommandsTyped_findAndChangeWhatWaits() throws Exception {
    MarkdownFile page = MarkdownFile.read("topology-docs/deferral.md");
    Files.writeString(folder.resolve("rules.yaml"), page.blocks("yaml").get(0));
    terminal.type("./quota rules apply rules.yaml").done();
    try (AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(terminal.bootstrapServers()).build()) {
      Request mail = Request.of("tenant", "acme");
      await().atMost(TIMEOUT).until(() -> client.rules().rules().size() == 1);
      // Nobody runs them: those that the rule leaves unacknowledged leave, and the others wait.
      for (int i = 0; i < 20; i++) {
        defer(client, mail, Deferral.of(new byte[] {'x'}));
      }
      defer(client, mail, Deferral.of("hello".getBytes(UTF_8)).withId("7c1e"));
      defer(client, mail, Deferral.of("again".getBytes(UTF_8)).withId("9a02"));
    }

    type(
        page.toString(),
        Map.of(
            "./quota deferred stats", "posts/mails-per-tenant",
            "./quota deferred list", "released",
            "./quota deferred show 7c1e", "id: 7c1e",
            "./quota deferred show 7c1e --payload", "hello",
            "./quota deferred release", "7c1e",
            "./quota deferred cancel", "9a02",
            "./quota dead-letters list --since", "7c1e",
            "./quota dead-letters redrive", "7c1e",
            "./quota dead-letters redrive --id 0-17", "9a02"));
  }

  @Test
  @Order(4)
  void backtest_logsAndEventsTyped_areJudged() throws Exception {
    MarkdownFile page = MarkdownFile.read("topology-docs/backtest.md");
    Files.writeString(folder.resolve("tokens.yaml"), page.blocks("yaml").get(0));
    try (OutputStream log =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("requests.csv.gz")))) {
      log.write(page.blocks("csv").get(0).getBytes(UTF_8));
    }

    type(
        page.toString(),
        Map.of(
            "./quota backtest --log", "newly throttled 23",
            "./quota backtest --rules topology-docs/samples/rules.yaml", "admitted 1, throttled 0",
            "./quota backtest --rules tokens.yaml", "admitted 2, throttled 1"));
    assertThat(folder.resolve("report.json")).isNotEmptyFile();
  }

  @Test
  @Order(5)
  void running_typed_startsWithItsFile() throws Exception {
    MarkdownFile page = MarkdownFile.read("topology-docs/running.md");
    Files.writeString(folder.resolve("enforcer.properties"), page.blocks("properties").get(0));

    type(
        page.toString(),
        Map.of(
            "./quota doctor", "ok       connection",
            "./quota topics create", "kept",
            "./quota topics check", "ok, prefix quota.: 16 partitions, at most 100 instances",
            "./quota enforcer", "http://enforcer-1.example.com:8089"));
  }

  /**
   * Each line of a page that is run must end well, and show what is said of the longest beginning.
   */
  private static void type(String page, Map<String, String> shown) throws Exception {
    for (String line : MarkdownFile.read(page).shellLines()) {
      if (TypedPagesTest.isListed(line)) {
        continue;
      }
      String expected =
          shown.keySet().stream()
              .filter(line::startsWith)
              .reduce((one, other) -> one.length() > other.length() ? one : other)
              .map(shown::get)
              .orElse("");
      if (READS.matcher(line).lookingAt()) {
        await().atMost(TIMEOUT).untilAsserted(() -> shows(line, expected));
      } else {
        shows(line, expected);
      }
    }
  }

  private static void shows(String line, String expected) throws Exception {
    String out = terminal.type(withPlace(line)).done();
    assertThat(out).as(line).contains(expected);
    if (line.startsWith("./quota enforcer ") && out.contains("127.0.0.1")) {
      terminal.awaitReady(out);
    }
  }

  /** Where a letter lies in its topic is not the same each time. */
  private static String withPlace(String line) throws Exception {
    if (!line.contains("--id 0-17")) {
      return line;
    }
    String letters = terminal.type("./quota dead-letters list").done();
    String place =
        letters.lines().filter(it -> it.contains("9a02")).findFirst().orElseThrow().split(" ")[0];
    return line.replace("0-17", place);
  }

  private static void defer(AdmissionClient client, Request request, Deferral deferral) {
    assertThat(client.defer(request, deferral).join()).isInstanceOf(Deferred.Accepted.class);
  }

  private static void awaitUsed(long permits) {
    String line = "./quota usage get --rule posts/posts-per-user user=42 --output=json";
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(terminal.type(line).used()).isEqualTo(permits));
  }
}
