package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class QuotaTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Map<String, String> environment = new HashMap<>();

  @Test
  void commandLine_thatIsWrong_isExplainedInALineOrTwo() {
    assertThat(run()).isEqualTo(2);
    assertThat(run("topcs")).isEqualTo(2);
    assertThat(run("topics", "create", "--partitons", "3")).isEqualTo(2);
    assertThat(run("topics", "create", "--partitions", "0")).isEqualTo(2);
    assertThat(run("usage", "get", "--rule", "nodomain")).isEqualTo(2);
    assertThat(run("version", "--output", "xml")).isEqualTo(2);

    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .containsExactly(
            "error: missing command",
            "Try: quota --help",
            "error: Unmatched argument at index 0: 'topcs'",
            "Did you mean: quota topics?",
            "error: Unknown options: '--partitons', '3'",
            "Possible solutions: --partitions",
            "error: must be from 1 to 10000: --partitions=0",
            "Try: quota topics create --help",
            "error: Invalid value for option '--rule': must be domain/rule-id: rule=nodomain",
            "Try: quota usage get --help",
            "error: Invalid value for option '--output': expected one of [table, json]"
                + " (case-sensitive) but was 'xml'",
            "Try: quota version --help");
  }

  @Test
  void help_ofEveryCommand_isPlain() {
    assertThat(run("--help")).isZero();
    assertThat(run("topics", "create", "--help")).isZero();
    assertThat(run("help", "usage")).isZero();

    assertThat(out.toString()).contains("--max-instances", "Exit codes:").doesNotContain("\u001b");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void version_isShownByCommandAndOption() {
    assertThat(run("version")).isZero();
    String shown = out.toString();
    assertThat(shown).contains("quota ", "Kafka clients and Streams 4.", "Java ");
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).isEqualTo(shown + shown);
  }

  @Test
  void kafka_thatIsNotThere_isExitCode3WithinSeconds() throws Exception {
    int port = freePort();

    assertThat(run("topics", "check", "--bootstrap-server", "127.0.0.1:" + port)).isEqualTo(3);

    assertThat(err.toString())
        .isEqualTo(
            "error: cannot reach Kafka at 127.0.0.1:%d (--bootstrap-server) within 8 s: is it running there, and does it expect this security.protocol?%n",
            port);
  }

  @Test
  void kafka_thatIsNotThere_isWaitedForAsLongAsIsAskedFor() throws Exception {
    String server = "127.0.0.1:" + freePort();

    assertThat(run("topics", "check", "--bootstrap-server", server, "--connect-timeout", "1s"))
        .isEqualTo(3);
    environment.put("QUOTA_CONNECT_TIMEOUT", "soon");
    assertThat(run("topics", "check", "--bootstrap-server", server)).isEqualTo(2);

    assertThat(err.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).contains(server + " (--bootstrap-server) within 1 s:"),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "error: $QUOTA_CONNECT_TIMEOUT: must be a duration from 1ms to 10m"
                            + " (500ms, 2s, 10m, 1h, 1d): connect.timeout=soon"));
  }

  @Test
  void variableThatHasAnotherNameNow_isAnErrorThatNamesIt() {
    environment.put("QUOTA_BOOTSTRAP_SERVER", "127.0.0.1:1");

    assertThat(run("rules", "list")).isEqualTo(2);

    assertThat(err.toString())
        .isEqualTo(
            "error: environment: QUOTA_BOOTSTRAP_SERVER is QUOTA_BOOTSTRAP_SERVERS now: set that"
                + " instead, and unset the old one\n");
  }

  @Test
  void kafka_ofTheEnvironment_isAsked() {
    environment.put("QUOTA_BOOTSTRAP_SERVERS", "no-such-host.invalid:1");

    assertThat(run("rules", "list")).isEqualTo(3);

    assertThat(err.toString())
        .isEqualTo(
            "error: cannot reach Kafka at no-such-host.invalid:1 ($QUOTA_BOOTSTRAP_SERVERS): the name of the host cannot be"
                + " resolved\n");
  }

  @Test
  void bootstrapServer_thatIsNoAddress_isAWrongCommandLine() {
    assertThat(run("topics", "check", "--bootstrap-server", "localhost")).isEqualTo(2);

    assertThat(err.toString()).contains("localhost").hasLineCount(1);
  }

  @Test
  void optionsAndVariables_thatAreWrong_areAllToldAtOnce() throws Exception {
    Path file = Files.writeString(folder.resolve("client"), "security.protcol=SSL\n");
    environment.put("QUOTA_SCHEMA_REGISTRY_URL", "registry");
    environment.put("QUOTA_PREFIX", "mine");

    assertThat(
            run(
                "topics",
                "check",
                "--bootstrap-server",
                "localhost",
                "--prefix",
                "a b",
                "--connect-timeout",
                "soon",
                "--command-config",
                file.toString()))
        .isEqualTo(2);

    assertThat(err.toString().lines())
        .hasSize(6)
        .anyMatch(line -> line.contains("QUOTA_PREFIX is QUOTA_TOPIC_PREFIX now"))
        .anyMatch(line -> line.startsWith("error: --bootstrap-server: must be host:port"))
        .anyMatch(line -> line.startsWith("error: --prefix: must be "))
        .anyMatch(line -> line.startsWith("error: $QUOTA_SCHEMA_REGISTRY_URL: must be an http"))
        .anyMatch(line -> line.startsWith("error: --connect-timeout: must be a duration"))
        .anyMatch(line -> line.startsWith("error: " + file + ": unknown setting"));
  }

  @Test
  void commandLine_withSeveralMistakes_namesThemAll() {
    assertThat(run("usage", "get", "--rule", "nodomain", "--enforcr", "x", "-o", "xml"))
        .isEqualTo(2);

    assertThat(err.toString())
        .contains("'--rule': must be domain/rule-id: rule=nodomain")
        .contains("'--output': expected one of [table, json]")
        .contains("--enforcr");
  }

  @Test
  void subcommand_thatIsUnknownAtAnyLevel_isSaidWithTheNearest() {
    assertThat(run("rule", "list")).isEqualTo(2);
    assertThat(run("deferred", "cancle", "5")).isEqualTo(2);
    assertThat(run("rules", "aply", "file")).isEqualTo(2);

    assertThat(err.toString().lines().filter(line -> line.startsWith("Did you mean")))
        .containsExactly(
            "Did you mean: quota rules?",
            "Did you mean: quota deferred cancel?",
            "Did you mean: quota rules apply?");
  }

  @Test
  void commandConfig_withMistakes_namesThemAll() throws Exception {
    Path file =
        Files.writeString(folder.resolve("client"), "security.protcol=SSL\nsasl.mechanizm=PLAIN\n");

    assertThat(run("topics", "check", "--command-config", file.toString())).isEqualTo(2);

    assertThat(err.toString().lines())
        .containsExactly(
            "error: " + file + ": unknown setting: sasl.mechanizm (did you mean sasl.mechanism?)",
            "error: "
                + file
                + ": unknown setting: security.protcol (did you mean security.protocol?)");
  }

  @Test
  void expectedError_withStacktrace_showsIt() {
    assertThat(run("topics", "check", "--command-config", "/nowhere/at/all", "--stacktrace"))
        .isEqualTo(2);

    assertThat(err.toString())
        .startsWith("error: /nowhere/at/all: cannot be read: there is no such file\n")
        .contains("\tat ");
  }

  @Test
  void usage_ofAnEnforcer_isShown() throws Exception {
    HttpServer server = enforcer(200, found());
    try {
      int exit = run("usage", "get", "--rule", "posts/per-user", "user=4 2");

      assertThat(exit).isZero();
      assertThat(out.toString().lines())
          .containsExactly(
              "posts/per-user/4%202, limit 2 per 1s",
              "1 available, 2 held by 3 instance(s)",
              "WINDOW                USED  THROTTLED",
              "2026-11-21T00:00:00Z   400          5");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void usage_inJson_isTheAnswer() throws Exception {
    HttpServer server = enforcer(200, found());
    try {
      assertThat(run("usage", "get", "--rule", "posts/per-user", "user=4 2", "-o", "json"))
          .isZero();
      assertThat(out.toString()).contains("\"available\" : 1");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void usage_notAnswered_saysWhyWithItsExitCode() throws Exception {
    HttpServer none = enforcer(404, "{\"error\":\"nothing was counted\"}");
    assertThat(run("usage", "get", "--rule", "posts/per-user", "user=4 2")).isEqualTo(1);
    none.stop(0);
    HttpServer starting = enforcer(503, "{\"error\":\"loads rules\"}");
    assertThat(run("usage", "get", "--rule", "posts/per-user", "user=4 2")).isEqualTo(3);
    starting.stop(0);
    HttpServer other = enforcer(200, "<html>");
    assertThat(run("usage", "get", "--rule", "posts/per-user", "user=4 2")).isEqualTo(1);
    other.stop(0);
    assertThat(run("usage", "get", "--rule", "posts/per-user", "user=4 2")).isEqualTo(3);

    String url = environment.get("QUOTA_ENFORCER");
    assertThat(err.toString().lines().findFirst()).contains("error: nothing was counted");
    assertThat(err.toString())
        .contains("error: loads rules", "another program does (status 200)")
        .endsWith(
            "error: cannot reach an enforcer at "
                + url
                + " ($QUOTA_ENFORCER): is it running there?\n");
  }

  private static String found() {
    return "{\"quotaKey\":\"posts/per-user/4%202\",\"limit\":\"2 per 1s\",\"available\":1,"
        + "\"outstanding\":2,\"holders\":3,\"windows\":[{\"start\":\"2026-11-21T00:00:00Z\","
        + "\"used\":400,\"throttled\":5}]}";
  }

  private HttpServer enforcer(int status, String body) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String uri = exchange.getRequestURI().toString();
          // First which values the rule hashes.
          boolean asExpected =
              uri.equals("/usage/posts/per-user?user=4+2") || uri.equals("/usage/posts/per-user");
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(asExpected ? status : 500, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    environment.put("QUOTA_ENFORCER", "http://127.0.0.1:" + server.getAddress().getPort());
    return server;
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private int run(String... arguments) {
    return Quota.create(
            new PrintWriter(out, true), new PrintWriter(err, true), environment, MoreCommands.NONE)
        .execute(arguments);
  }
}
