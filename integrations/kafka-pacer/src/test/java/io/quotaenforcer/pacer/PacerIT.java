package io.quotaenforcer.pacer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two members of a group that share a limit, with a broker and an enforcer. */
@Timeout(540)
class PacerIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String TOPIC = "orders";
  private static final int RECORDS = 90;
  private static final int LIMIT = 20;
  private static final Duration WINDOW = Duration.ofSeconds(5);

  /** A thread may stand still between a decision and the note of it. */
  private static final Duration NEAR_A_BORDER = Duration.ofMillis(500);

  private static final String RULES =
      """
      domain: pace
      rules:
        - {id: orders, key: [topic], enforcement: strict,
           limit: {permits: 20, per: 5s, algorithm: fixed-window}}
      """;

  @TempDir Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final ConcurrentLinkedQueue<PacedMember.HandedOut> handedOut =
      new ConcurrentLinkedQueue<>();

  @AfterEach
  void stopAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Test
  void twoMembers_holdTheLimitAndTheirPartitions_andHandOutEachRecordOnce() throws Exception {
    assertThat(WINDOW).as("a pause").isGreaterThan(PacedMember.MAX_POLL_INTERVAL);
    EmbeddedBroker broker = EmbeddedBroker.start();
    open.add(broker);
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=2", server);
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    QuotaRun.done("rules", "apply", rules.toString(), server);
    EnforcerJvm enforcer = EnforcerJvm.start(folder.resolve("enforcer"), broker.bootstrapServers());
    open.add(enforcer);
    Map<String, Object> kafka = Map.of("bootstrap.servers", broker.bootstrapServers());
    try (Admin admin = Admin.create(kafka)) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 4, (short) 1))).all().get();
    }
    List<PacedMember> members = List.of(member(broker, "one"), member(broker, "two"));
    await()
        .atMost(TIMEOUT)
        .until(() -> members.stream().allMatch(member -> member.partitions() == 2));
    enforcer.awaitReady();
    int rebalances = members.stream().mapToInt(PacedMember::rebalances).sum();

    produce(kafka);
    Instant begun = Instant.now();
    await().atMost(TIMEOUT).until(() -> handedOut.size() >= RECORDS);
    Duration took = Duration.between(begun, Instant.now());

    QuotaKey key = QuotaKey.of(new RuleId("pace", "orders"), List.of(TOPIC));
    await().atMost(TIMEOUT).until(() -> enforcer.used(key, "topic") == RECORDS);
    Map<String, Long> counted = enforcer.usedByWindow(key, "topic");
    System.out.printf("paced: %d records in %s, counted by window: %s%n", RECORDS, took, counted);
    assertThat(counted.values()).allMatch(used -> used <= LIMIT);
    assertThat(surelyIn())
        .allSatisfy((window, many) -> assertThat(many).isLessThanOrEqualTo(LIMIT));
    assertThat(handedOut.stream().map(PacedMember.HandedOut::value))
        .containsExactlyInAnyOrderElementsOf(values());
    assertThat(members)
        .allSatisfy(member -> assertThat(member.failure()).isNull())
        .allSatisfy(member -> assertThat(member.partitions()).isEqualTo(2));
    assertThat(members.stream().mapToInt(PacedMember::rebalances).sum())
        .as("nobody left the group")
        .isEqualTo(rebalances);
  }

  private PacedMember member(EmbeddedBroker broker, String name) {
    PacedMember member = new PacedMember(broker.bootstrapServers(), TOPIC, name, handedOut);
    open.add(member);
    return member;
  }

  private static List<String> values() {
    return IntStream.range(0, RECORDS).mapToObj(i -> "order " + i).toList();
  }

  private static void produce(Map<String, Object> kafka) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(kafka, new StringSerializer(), new StringSerializer())) {
      for (int i = 0; i < RECORDS; i++) {
        Future<RecordMetadata> unused =
            producer.send(new ProducerRecord<>(TOPIC, i % 4, "key", "order " + i));
      }
    }
  }

  /** How many records were handed out in each window, without those near its borders. */
  private Map<Long, Long> surelyIn() {
    return handedOut.stream()
        .map(one -> one.at().toEpochMilli())
        .filter(at -> at % WINDOW.toMillis() >= NEAR_A_BORDER.toMillis())
        .filter(at -> at % WINDOW.toMillis() < WINDOW.minus(NEAR_A_BORDER).toMillis())
        .map(at -> at / WINDOW.toMillis())
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }
}
