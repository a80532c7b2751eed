package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.schemas.setting.SettingsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users' mistakes, and the programs' answers to them. */
@Timeout(180)
class BadInputIT {
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 2, per: 1s}
      """;
  private static EmbeddedBroker broker;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void brokerThatIsNotThere_ofEveryCommand_isExitCode3WithItsAddress() throws Exception {
    String address = "127.0.0.1:" + freePort();
    String rules = file("rules.yaml", RULES);
    String config = file("enforcer.properties", "bootstrap.servers=" + address + "\nhttp.port=0");
    List<List<String>> commands =
        List.of(
            List.of("topics", "create"),
            List.of("topics", "check"),
            List.of("rules", "apply", rules),
            List.of("rules", "list"),
            List.of("rules", "get", "posts/per-user"),
            List.of("rules", "delete", "posts/per-user"),
            List.of("check", "user=42"),
            List.of("enforcer", "--config", config));
    ExecutorService threads = Executors.newFixedThreadPool(commands.size());
    try {
      Map<List<String>, Future<QuotaRun>> runs = new LinkedHashMap<>();
      for (List<String> command : commands) {
        String[] arguments = command.toArray(new String[command.size() + 1]);
        arguments[command.size()] = "--bootstrap-server=" + address;
        runs.put(command, threads.submit(() -> QuotaRun.of(arguments)));
      }
      for (Map.Entry<List<String>, Future<QuotaRun>> entry : runs.entrySet()) {
        QuotaRun run = entry.getValue().get();
        assertThat(run.exitCode()).as(entry.getKey() + " " + run).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(run.err())
            .as(entry.getKey().toString())
            .startsWith("error: cannot reach Kafka at " + address)
            .hasLineCount(1);
        // Its 8 s, and what a machine adds; Kafka's own clients would try for a minute.
        assertThat(run.took()).isLessThan(Duration.ofSeconds(40));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void enforcer_withoutTopics_namesTheCommandThatCreatesThem() throws Exception {
    QuotaRun run =
        QuotaRun.of("enforcer", "--config", config("topic.prefix=nothing.\nhttp.port=0"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("run: quota topics create --prefix nothing.");
  }

  @Test
  void enforcer_onAPortThatIsTaken_saysWhichAndWhatToSet() throws Exception {
    QuotaRun.done("topics", "create", "--bootstrap-server=" + broker.bootstrapServers());
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      QuotaRun run =
          QuotaRun.of(
              "enforcer",
              "--config",
              config("http.port=" + taken.getLocalPort() + "\nhttp.probe.port=0"));

      assertThat(run.exitCode()).as(run.toString()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err().lines().filter(line -> line.startsWith("error: ")))
          .containsExactly(
              "error: cannot listen on 127.0.0.1:%d: another program uses it; set http.port to another port, or to 0 for a free one"
                  .formatted(taken.getLocalPort()));
    }
  }

  @Test
  void enforcerFile_withAMisspeltSetting_suggestsTheRightOne() throws Exception {
    String config = config("comit.interval=20ms");

    QuotaRun run = QuotaRun.of("enforcer", "--config", config);

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .isEqualTo(
            "error: "
                + config
                + ": unknown setting: comit.interval (did you mean commit.interval?)\n");
  }

  @Test
  void clientProperties_withMisspeltSettings_suggestTheRightOnesAndStartNothing() {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    Map<String, String> properties =
        Map.of("bootstrap.servers", "127.0.0.1:1", "reprot.interval", "20ms", "domian", "posts");

    assertThatThrownBy(() -> AdmissionClient.create(properties))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("unknown setting: reprot.interval (did you mean report.interval?)")
        .hasMessageContaining("unknown setting: domian (did you mean domains?)");
    assertThatThrownBy(() -> RequestEventEmitter.create(properties))
        .isInstanceOf(SettingsException.class);
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("quota-"))
        .isSubsetOf(before);
  }

  private String config(String setting) throws IOException {
    return file(
        "enforcer.properties",
        "bootstrap.servers=%s\nstate.dir=%s\n%s\n"
            .formatted(broker.bootstrapServers(), folder.resolve("state"), setting));
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
