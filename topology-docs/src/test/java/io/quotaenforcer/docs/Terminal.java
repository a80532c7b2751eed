package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.Quota;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.lab.command.LabCommands;
import io.quotaenforcer.lab.command.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where commands of the pages are typed: a broker, a folder, and an enforcer once it is started.
 */
final class Terminal implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final List<String> JVM_FLAGS =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
  private static final Pattern STARTED =
      Pattern.compile("(?m)^enforcing; (http://[^/]+)/health/ready ");

  private final EmbeddedBroker broker = EmbeddedBroker.start();
  private final Map<String, String> environment = new HashMap<>();
  private final Path folder;
  private @Nullable Process enforcer;

  /** A command's output and exit code. */
  record Ran(int exitCode, String out, String err) {
    /** Its output, if it ended well. */
    String done() {
      assertThat(exitCode).as("%s%n%s", err, out).isEqualTo(ExitCode.DONE);
      return out;
    }

    /** Permits that are counted in the windows which it wrote as JSON. */
    long used() {
      return Pattern.compile("\"used\"\\s*:\\s*(\\d+)")
          .matcher(done())
          .results()
          .mapToLong(used -> Long.parseLong(used.group(1)))
          .sum();
    }
  }

  /**
   * @param folder that commands are typed in; files named {@code topology-docs/…} are the project's
   */
  Terminal(Path folder) throws IOException {
    this.folder = folder;
    Path token = Files.writeString(folder.resolve("token"), "0123456789abcdef\n");
    // An enforcer's variables go before its file, which is for another machine.
    environment.put("QUOTA_BOOTSTRAP_SERVERS", broker.bootstrapServers());
    environment.put("QUOTA_STATE_DIR", folder.resolve("state").toString());
    environment.put("QUOTA_HTTP_HOST", "127.0.0.1");
    environment.put("QUOTA_HTTP_PORT", "0");
    environment.put("QUOTA_HTTP_TOKEN_FILE", token.toString());
    // Brokers of other tests are busy on the same disk.
    environment.put("QUOTA_CONNECT_TIMEOUT", "30s");
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  Path folder() {
    return folder;
  }

  /** Types a line of a page. An enforcer goes on; one that ran before is stopped. */
  Ran type(String line) throws IOException, InterruptedException {
    List<String> words = MarkdownFile.words(line);
    if (words.get(0).equals("export")) {
      String variable = words.get(1).split("=")[0];
      assertThat(environment).as("%s, of this test", line).containsKey(variable);
      return new Ran(ExitCode.DONE, "", "");
    }
    assertThat(words.get(0)).as(line).isEqualTo("./quota");
    List<String> arguments = words.stream().skip(1).map(this::file).toList();
    return arguments.get(0).equals("enforcer") ? startEnforcer(arguments) : run(arguments);
  }

  /** Returns when the enforcer can be reached at the address that it says. */
  void awaitReady(String address) {
    environment.put("QUOTA_ENFORCER", address);
    HttpClient http = HttpClient.newHttpClient();
    HttpRequest question =
        HttpRequest.newBuilder(URI.create(address + "/health/ready"))
            .timeout(Duration.ofSeconds(2))
            .build();
    await("the enforcer to be ready, see its log in " + folder)
        .atMost(START_TIMEOUT)
        .ignoreExceptions()
        .until(
            () -> http.send(question, HttpResponse.BodyHandlers.discarding()).statusCode() == 200);
  }

  @Override
  public void close() throws InterruptedException {
    try {
      stopEnforcer();
    } finally {
      broker.close();
    }
  }

  private Ran run(List<String> arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Quota.create(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                environment,
                LabCommands::create)
            .execute(arguments.toArray(String[]::new));
    return new Ran(exitCode, out.toString(), err.toString());
  }

  /** A process of its own, since the command runs until a signal ends it. */
  private Ran startEnforcer(List<String> arguments) throws IOException, InterruptedException {
    stopEnforcer();
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(JVM_FLAGS);
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    line.addAll(arguments);
    Path log = Files.createTempFile(folder, "enforcer", ".log");
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().putAll(environment);
    Process started = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    enforcer = started;
    await("the enforcer to start, see " + log)
        .atMost(START_TIMEOUT)
        .until(() -> address(log) != null || !started.isAlive());
    String address = address(log);
    assertThat(address).as(Files.readString(log)).isNotNull();
    return new Ran(ExitCode.DONE, address + "", "");
  }

  private static @Nullable String address(Path log) throws IOException {
    return STARTED
        .matcher(Files.readString(log))
        .results()
        .map((MatchResult started) -> started.group(1))
        .findFirst()
        .orElse(null);
  }

  private void stopEnforcer() throws InterruptedException {
    if (enforcer != null) {
      enforcer.destroy();
      if (!enforcer.waitFor(30, TimeUnit.SECONDS)) {
        enforcer.destroyForcibly();
      }
    }
  }

  /** A word, with its file where this test has it. */
  private String file(String word) {
    String name = word.substring(word.indexOf('=') + 1);
    String option = word.substring(0, word.length() - name.length());
    if (name.startsWith("topology-docs/")) {
      return option + MarkdownFile.ROOT.resolve(name);
    }
    return name.endsWith(".json") || Files.isRegularFile(folder.resolve(name))
        ? option + folder.resolve(name)
        : word;
  }
}
