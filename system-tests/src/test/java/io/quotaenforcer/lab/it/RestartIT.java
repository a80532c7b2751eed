package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An enforcer that is stopped as planned finds its stores as it left them. */
@Timeout(360)
class RestartIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final int USERS = 40;
  private static final RuleId RULE = new RuleId("shop", "orders");
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: orders, key: [user], limit: {permits: 1000, per: 1d, algorithm: fixed-window}}
      """;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();

  @Test
  void enforcer_stoppedAsPlannedAndStarted_wipesNoStore() throws Exception {
    EmbeddedBroker broker = brokerWithRules();
    EnforcerJvm first = start(broker);
    first.awaitReady();
    count(broker, first);
    first.terminate();

    long begun = System.nanoTime();
    EnforcerJvm second = start(broker);
    second.awaitReady();
    System.out.printf(
        Locale.ROOT, "restart: ready %.1f s after its start%n", (System.nanoTime() - begun) / 1e9);

    assertThat(second.used(QuotaKey.of(RULE, List.of("user-0")), "user")).isEqualTo(1);
    assertThat(second.jvm().err())
        .noneMatch(line -> line.contains("wiped") || line.contains("orrupt"));
    assertThat(second.jvm().out())
        .noneMatch(line -> line.contains("wiped") || line.contains("orrupt"));
  }

  /** As brokers do with the offsets of a group that was away for a week. */
  @Test
  @Tag("long")
  void enforcer_whoseOffsetsWereForgotten_isRefused_untilItIsToldWhereToGoOn() throws Exception {
    EmbeddedBroker broker = brokerWithRules();
    EnforcerJvm idle = start(broker);
    idle.awaitReady();
    idle.terminate();
    EnforcerJvm first = start(broker);
    first.awaitReady();
    count(broker, first);
    first.terminate();

    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.deleteConsumerGroups(List.of("quota-enforcer")).all().get();
      ChildJvm refused =
          EnforcerJvm.launch(folder.resolve("enforcer"), broker.bootstrapServers(), "http.port=0");
      open.add(refused);
      assertThat(refused.exitCode(TIMEOUT)).isEqualTo(1);
      assertThat(refused.err()).anyMatch(line -> line.contains("offsets of group quota-enforcer"));

      admin
          .alterConsumerGroupOffsets(
              "quota-enforcer",
              Map.of(new TopicPartition("quota.usage", 0), new OffsetAndMetadata(0)))
          .all()
          .get();
      start(broker).awaitReady();
    }
  }

  @Test
  void enforcer_inTheGroupOfAnotherPrefix_isRefused() throws Exception {
    EmbeddedBroker broker = brokerWithRules();
    start(broker).awaitReady();
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=4", "--prefix=second.", server);

    ChildJvm second =
        EnforcerJvm.launch(
            folder.resolve("second"),
            broker.bootstrapServers(),
            "topic.prefix=second.",
            "http.port=0");
    open.add(second);

    assertThat(second.exitCode(TIMEOUT)).isEqualTo(1);
    assertThat(second.err())
        .anyMatch(
            line ->
                line.contains("application.id=quota-enforcer is that of the enforcers of prefix")
                    && line.contains("application.id=second-enforcer"));
  }

  private EmbeddedBroker brokerWithRules() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start();
    open.add(broker);
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=4", server);
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    QuotaRun.done("rules", "apply", rules.toString(), server);
    return broker;
  }

  private EnforcerJvm start(EmbeddedBroker broker) throws Exception {
    EnforcerJvm enforcer = EnforcerJvm.start(folder.resolve("enforcer"), broker.bootstrapServers());
    open.add(enforcer);
    return enforcer;
  }

  /** One request of each user, so that each partition has some. */
  private static void count(EmbeddedBroker broker, EnforcerJvm enforcer) throws Exception {
    try (AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(broker.bootstrapServers()).build()) {
      assertThat(client.awaitRules(TIMEOUT)).isTrue();
      for (int user = 0; user < USERS; user++) {
        assertThat(client.decide(Request.of("user", "user-" + user)).admitted()).isTrue();
      }
    }
    await()
        .atMost(TIMEOUT)
        .until(() -> enforcer.used(QuotaKey.of(RULE, List.of("user-0")), "user") == 1);
  }
}
