package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.enforcer.cli.ExitCode;
import io.quotaenforcer.enforcer.cli.Main;
import io.quotaenforcer.enforcer.cli.Quota;
import io.quotaenforcer.enforcer.embedded.EmbeddedBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs "On your own Kafka" of the README, in order, and then its Java. */
@Timeout(180)
class ReadmeIT {
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration COUNT_TIMEOUT = Duration.ofSeconds(20);
  private static final List<String> JVM_FLAGS =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  @TempDir Path folder;

  private EmbeddedBroker broker;
  private Process enforcer;
  private Map<String, String> environment;
  private String enforcerUrl;

  /** What a command wrote, and how it ended. */
  private record Ran(int exitCode, String out, String err) {}

  @BeforeEach
  void startBroker() throws IOException {
    broker = EmbeddedBroker.start();
    int port = freePort();
    enforcerUrl = "http://127.0.0.1:" + port;
    environment =
        Map.of(
            "QUOTA_BOOTSTRAP_SERVERS", broker.bootstrapServers(),
            "QUOTA_HTTP_PORT", Integer.toString(port),
            "QUOTA_STATE_DIR", folder.resolve("state").toString(),
            "QUOTA_ENFORCER", enforcerUrl);
  }

  @AfterEach
  void stopAll() throws InterruptedException {
    if (enforcer != null) {
      enforcer.destroy();
      if (!enforcer.waitFor(30, TimeUnit.SECONDS)) {
        enforcer.destroyForcibly();
      }
    }
    broker.close();
  }

  @Test
  void commandsAndSnippets_inOrder_doWhatTheySay() throws Exception {
    List<List<String>> commands = ownKafka();
    assertThat(commands).hasSize(7);

    Ran created = run(commands.get(0));
    assertThat(created.exitCode()).as(created.err()).isEqualTo(ExitCode.DONE);
    assertThat(created.out()).contains("quota.usage", "quota.snapshots");

    Ran applied = run(commands.get(1));
    assertThat(applied.exitCode()).as(applied.err()).isEqualTo(ExitCode.DONE);
    assertThat(applied.out()).contains("posts/posts-per-user", "posts/accounts-per-address");

    enforcer = startChild(commands.get(2));
    await().atMost(READY_TIMEOUT).until(this::isReady);

    Ran checked = run(commands.get(3));
    assertThat(checked.exitCode()).as(checked.err()).isEqualTo(ExitCode.DONE);
    assertThat(checked.out()).startsWith("admitted by posts/posts-per-user/42: limit 120");
    awaitUsed(commands.get(4), 1);

    Ran explained = run(commands.get(5));
    assertThat(explained.exitCode()).as(explained.err()).isEqualTo(ExitCode.DONE);
    assertThat(explained.out()).contains("posts/posts-per-user matches");
    Ran history = run(commands.get(6));
    assertThat(history.exitCode()).as(history.err()).isEqualTo(ExitCode.DONE);
    assertThat(history.out()).contains("added: 120 per 1m by user");

    ReadmeSnippets snippets = new ReadmeSnippets(broker.bootstrapServers());
    snippets.embed();
    assertThat(snippets.done()).containsExactly("created");
    awaitUsed(commands.get(4), 2);

    snippets.emit();
    awaitUsed(commands.get(4), 3);

    try (AdmissionClient client =
            AdmissionClient.builder().bootstrapServers(broker.bootstrapServers()).build();
        ReplayRunner runner = snippets.replay(client)) {
      assertThat(client.awaitRules(READY_TIMEOUT)).isTrue();
      Map<String, String> headers = new HashMap<>();
      snippets.headers(client, headers::put);
      assertThat(headers)
          .containsEntry("X-RateLimit-Limit", "120")
          .containsEntry("RateLimit-Policy", "\"posts-per-user\";q=120;w=60");

      // A full bucket is admitted at once, and no more.
      await()
          .pollInterval(Duration.ofMillis(1))
          .atMost(COUNT_TIMEOUT)
          .until(
              () -> {
                snippets.defer(client, "hello".getBytes(StandardCharsets.UTF_8));
                return snippets.done().contains("deferred");
              });
      await().atMost(COUNT_TIMEOUT).until(() -> snippets.done().contains("created later: hello"));
    }
  }

  private static List<List<String>> ownKafka() {
    String text = MarkdownFile.read("README.md").text();
    int from = text.indexOf("## On your own Kafka");
    String section = text.substring(from, text.indexOf("\n## ", from + 1));
    return new MarkdownFile(MarkdownFile.ROOT.resolve("README.md"), section).quotaCommands();
  }

  private void awaitUsed(List<String> usageCommand, long permits) {
    List<String> command = new ArrayList<>(usageCommand);
    command.add("--output=json");
    await()
        .atMost(COUNT_TIMEOUT)
        .untilAsserted(
            () -> {
              Ran usage = run(command);
              assertThat(usage.exitCode()).as(usage.err()).isEqualTo(ExitCode.DONE);
              assertThat(used(usage.out())).as(usage.out()).isEqualTo(permits);
            });
  }

  private static long used(String json) {
    return Pattern.compile("\"used\"\\s*:\\s*(\\d+)")
        .matcher(json)
        .results()
        .mapToLong(used -> Long.parseLong(used.group(1)))
        .sum();
  }

  private Ran run(List<String> command) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Quota.create(new PrintWriter(out, true), new PrintWriter(err, true), environment)
            .execute(arguments(command));
    return new Ran(exitCode, out.toString(), err.toString());
  }

  /** A process of its own, since the command runs until a signal ends it. */
  private Process startChild(List<String> command) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(JVM_FLAGS);
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    line.addAll(List.of(arguments(command)));
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().putAll(environment);
    return builder.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
  }

  /** The README's commands run in the folder of the project, this test in that of its module. */
  private static String[] arguments(List<String> command) {
    return command.stream()
        .map(
            word ->
                word.startsWith("topology-docs/")
                    ? MarkdownFile.ROOT.resolve(word).toString()
                    : word)
        .toArray(String[]::new);
  }

  private boolean isReady() throws InterruptedException {
    assertThat(enforcer.isAlive()).as("the enforcer runs, see its log in %s", folder).isTrue();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(enforcerUrl + "/health/ready"))
            .timeout(Duration.ofSeconds(2))
            .build();
    try {
      return HttpClient.newHttpClient()
              .send(request, HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
