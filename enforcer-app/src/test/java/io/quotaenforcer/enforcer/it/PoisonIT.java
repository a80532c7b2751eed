package io.quotaenforcer.enforcer.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.cli.QuotaRun;
import io.quotaenforcer.enforcer.embedded.EmbeddedBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records that nobody can read, on every topic that somebody reads. */
@Timeout(90)
class PoisonIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int PARTITIONS = 2;
  private static final QuotaKey KEY = QuotaKey.of(new RuleId("posts", "per-user"), List.of("ann"));
  private static final Request REQUEST = Request.of("user", "ann");
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 1000, per: 1s}
      """;

  @TempDir Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();
  private String server;
  private EnforcerJvm enforcer;
  private AdmissionClient client;
  private TopicTap tap;

  @BeforeEach
  void startAll() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start();
    open.add(broker);
    server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=" + PARTITIONS, server);
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    QuotaRun.done("rules", "apply", rules.toString(), server);
    enforcer = EnforcerJvm.start(folder.resolve("enforcer"), broker.bootstrapServers());
    open.add(enforcer);
    client = AdmissionClient.builder().bootstrapServers(broker.bootstrapServers()).build();
    open.add(client);
    tap = new TopicTap(broker.bootstrapServers());
    open.add(tap);
    assertThat(client.awaitRules(TIMEOUT)).isTrue();
  }

  @AfterEach
  void stopAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Test
  void poison_onEveryTopic_stopsNothingAndIsPutAside() throws Exception {
    long admitted = admit(10);
    List<String> written = new ArrayList<>();
    for (String topic : List.of("quota.usage", "quota.usage-events", "quota.request-events")) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        for (byte[] value : poison()) {
          tap.write(topic, partition, key("poison"), value);
          written.add(topic + "-" + partition + " " + (value == null ? "null" : value.length));
        }
      }
    }
    for (byte[] value : poison()) {
      tap.write("quota.rules", 0, key("posts/poison"), value);
      tap.write("quota.rules", 0, key("\u0000 no rule"), value);
      tap.write("quota.exhausted", 0, key("no quota key"), value);
      tap.write("quota.snapshots", 0, key("poison"), value);
      tap.write("quota.snapshots", 1, key("poison"), value);
    }

    await().atMost(TIMEOUT).until(() -> tap.read("quota.dead-letters").size() >= written.size());
    List<ConsumerRecord<byte[], byte[]>> letters = tap.read("quota.dead-letters");
    assertThat(letters.stream().map(PoisonIT::origin)).containsExactlyInAnyOrderElementsOf(written);
    for (ConsumerRecord<byte[], byte[]> letter : letters) {
      assertThat(TopicTap.header(letter, "reason")).matches("(unreadable|request event refused).+");
      assertThat(TopicTap.header(letter, "offset")).matches("[0-9]+");
      assertThat(letter.key()).isEqualTo(key("poison"));
    }

    admitted += admit(10);
    try (RequestEventEmitter emitter =
        RequestEventEmitter.create(
            Map.of("bootstrap.servers", server.substring(server.indexOf('=') + 1)))) {
      for (int i = 0; i < 100; i++) {
        emitter.emit(REQUEST, Outcome.ADMITTED);
      }
    }
    long expected = admitted + 100;
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(enforcer.used(KEY, "user")).isEqualTo(expected));
    assertThat(enforcer.get("/health/ready").statusCode()).isEqualTo(200);
    assertThat(enforcer.get("/metrics").body()).contains("dead");
    assertThat(client.rules().rules()).hasSize(1);
    QuotaRun rules = QuotaRun.done("rules", "list", server);
    assertThat(rules.out()).contains("posts/per-user");
    assertThat(rules.err()).contains("posts/poison cannot be read");
  }

  private static List<byte[]> poison() {
    byte[] noise = new byte[100_000];
    new SplittableRandom(1).nextBytes(noise);
    List<byte[]> values = new ArrayList<>();
    values.add(null);
    values.add(new byte[0]);
    values.add(key("no record of ours"));
    values.add(noise);
    return values;
  }

  private long admit(int requests) throws Exception {
    long admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += client.decideAsync(REQUEST, TIMEOUT).get().admitted() ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(requests);
    return admitted;
  }

  private static String origin(ConsumerRecord<byte[], byte[]> letter) {
    return TopicTap.header(letter, "topic")
        + "-"
        + TopicTap.header(letter, "partition")
        + " "
        + (letter.value() == null ? "null" : letter.value().length);
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
