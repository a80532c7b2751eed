package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A penalty at three instances of a service, while enforcers take over from each other. */
@Timeout(540)
class PenaltyIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Request MALLORY = Request.of("account", "mallory");
  private static final String RULES =
      """
      domain: logins
      rules:
        - id: per-account
          key: [account]
          limit: {permits: 10, per: 1h, algorithm: fixed-window}
          enforcement: strict
          penalty: {after: 20, within: 1m, for: 10m}
      """;

  @TempDir Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<AdmissionClient> clients = new ArrayList<>();
  private String server = "";
  private EmbeddedBroker broker;
  private EnforcerJvm enforcer;

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.start();
    open.add(broker);
    server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=2", server);
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    QuotaRun.done("rules", "apply", rules.toString(), server);
  }

  @AfterEach
  void stopAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private EnforcerJvm enforcer(String name) throws Exception {
    EnforcerJvm enforcer = EnforcerJvm.start(folder.resolve(name), broker.bootstrapServers());
    open.add(enforcer);
    enforcer.awaitReady();
    return enforcer;
  }

  private AdmissionClient client() throws InterruptedException {
    AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(broker.bootstrapServers()).build();
    open.add(client);
    clients.add(client);
    assertThat(client.awaitRules(TIMEOUT)).isTrue();
    return client;
  }

  private static ThrottleReason reason(AdmissionClient client) {
    return client.decide(MALLORY) instanceof Decision.Throttled throttled
        ? throttled.reason()
        : ThrottleReason.NONE;
  }

  private static boolean isPenalized(AdmissionClient client) {
    return reason(client) == ThrottleReason.PENALTY;
  }

  private String usage() {
    return QuotaRun.done(
            "usage",
            "get",
            "--rule=logins/per-account",
            "account=mallory",
            "--enforcer=http://" + enforcer.address())
        .out();
  }

  private String listed(String... options) {
    List<String> line = new ArrayList<>(List.of("penalties", "list"));
    line.addAll(List.of(options));
    line.add("--enforcer=http://" + enforcer.address());
    return QuotaRun.done(line.toArray(String[]::new)).out();
  }

  @Test
  void penalty_isToldToAllInstances_andSurvivesTheEnforcer() throws Exception {
    EnforcerJvm first = enforcer("first");
    client();
    client();
    for (int i = 0; i < 50; i++) {
      clients.get(i % 2).decideAsync(MALLORY, WAIT).join();
    }
    for (AdmissionClient client : clients) {
      await().atMost(TIMEOUT).until(() -> isPenalized(client));
    }
    first.close();
    // It has nothing but the changelog.
    enforcer = enforcer("second");
    AdmissionClient newcomer = client();
    await().atMost(TIMEOUT).until(() -> isPenalized(newcomer));
    assertThat(clients).allMatch(PenaltyIT::isPenalized);
    Decision refused = newcomer.decide(MALLORY);
    assertThat(refused.retryAfter().orElseThrow())
        .isBetween(Duration.ofMinutes(7), Duration.ofMinutes(10));
    assertThat(newcomer.decideAsync(Request.of("account", "alice"), WAIT).join().admitted())
        .isTrue();

    assertThat(usage()).contains("under a penalty until");
    assertThat(listed())
        .containsPattern(
            "logins/per-account +enforce +20\\S+Z +20\\S+Z +1 +logins/per-account/mallory")
        .doesNotContain("alice");
    assertThat(listed("--rule=logins/per-account", "-o", "json"))
        .contains("\"quotaKey\" : \"logins/per-account/mallory\"", "\"inARow\" : 1");
    assertThat(
            QuotaRun.of(
                    "penalties",
                    "list",
                    "--rule=logins/per-acount",
                    "--enforcer=http://" + enforcer.address())
                .err())
        .contains("no such rule: logins/per-acount; quota rules list shows them");
    String lifted =
        QuotaRun.done("penalties", "lift", "--rule=logins/per-account", "account=mallory", server)
            .out();
    assertThat(lifted).contains("logins/per-account/mallory: asked to be without a penalty");
    for (AdmissionClient client : clients) {
      // Its limit of the hour is used up.
      await().atMost(TIMEOUT).until(() -> reason(client) == ThrottleReason.OVER_LIMIT);
    }
    assertThat(usage()).doesNotContain("under a penalty");
    assertThat(listed()).isEqualTo("No quota key is under a penalty.\n");
  }
}
