package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.fuzz.ExtremeRecords;
import io.quotaenforcer.enforcer.fuzz.Fuzzing;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records that nobody can read, on every topic that somebody reads. */
@Timeout(1800)
class PoisonIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final int PARTITIONS = 2;
  private static final int RECORDS_OF_A_TYPE = 100;
  private static final QuotaKey KEY = QuotaKey.of(new RuleId("posts", "per-user"), List.of("ann"));
  private static final Request REQUEST = Request.of("user", "ann");
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 1000, per: 1s}
        - id: jobs
          key: [user]
          match: {kind: job}
          limit: {permits: 1, per: 1s, algorithm: fixed-window}
          over-limit: defer
      """;

  /** Never those of {@link #KEY}, whose count must be exact. */
  private static final List<String> TEXTS =
      List.of(
          "posts",
          "per-user",
          "jobs",
          "posts/per-user/bob",
          "posts/jobs/bob",
          "user",
          "bob",
          "kind",
          "job",
          "instance-2");

  private static final Duration TIME = Fuzzing.time(3);

  private static final Duration LETTERS_ARE_FEW = Duration.ofSeconds(10);
  private static final Duration READY_AGAIN = Duration.ofSeconds(60);
  private static final long DAWN = 0;
  private static final long YEAR_2200 = 7_258_118_400_000L;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
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

  @Test
  void poison_onEveryTopic_stopsNothingAndIsPutAside() throws Exception {
    long admitted = admit(10);
    List<String> written = new ArrayList<>();
    for (String topic :
        List.of("quota.usage", "quota.usage-events", "quota.request-events", "quota.deferred")) {
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
      assertThat(TopicTap.header(letter, "reason"))
          .matches("(unreadable|request event refused|deferral refused).+");
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
    assertThat(client.rules().rules()).hasSize(2);
    QuotaRun rules = QuotaRun.done("rules", "list", server);
    assertThat(rules.out()).contains("posts/per-user");
    assertThat(rules.err()).contains("posts/poison cannot be read");
  }

  /** Well-formed and damaged records of every type, old, of the future, and as large as can be. */
  @Test
  void extremes_onEveryTopic_stopNothingAndNothingElseIsLost() throws Exception {
    Set<String> done = ConcurrentHashMap.newKeySet();
    ReplayRunner replays =
        client.replays(
            replay -> {
              done.add(replay.id());
              return ReplayOutcome.done();
            },
            ReplayOptions.DEFAULTS);
    open.add(replays);
    long admitted = admit(10);
    ExtremeRecords records = new ExtremeRecords(Fuzzing.SEED, TEXTS, System.currentTimeMillis());
    Topics topics = Topics.under("quota.", PARTITIONS, Codecs.withoutRegistry());
    long until = System.nanoTime() + TIME.toNanos();
    long written = 0;
    long refused = 0;
    do {
      for (Topic<?, ?> topic : topics.all()) {
        for (TopicTap.Written each : tap.writeAll(extremes(topic, records))) {
          written++;
          refused += each.isRefused() ? 1 : 0;
        }
      }
    } while (System.nanoTime() < until);
    System.out.printf(
        "poison: %,d records on %d topics, %,d refused by the broker, seed %d%n",
        written, topics.all().size(), refused, Fuzzing.SEED);
    assertThat(refused).isBetween(1L, written / 2);

    await()
        .atMost(READY_AGAIN)
        .ignoreExceptions()
        .until(() -> enforcer.get("/health/ready").statusCode() == 200);
    admitted += admit(10);
    long expected = admitted;
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(enforcer.used(KEY, "user")).isEqualTo(expected));
    Request job = Request.of("user", "ann", "kind", "job");
    client.defer(job, Deferral.of(new byte[] {1}).withId("after")).get();
    // Earlier records are read first.
    long began = System.nanoTime();
    await().atMost(READY_AGAIN.plus(TIME.multipliedBy(4))).until(() -> done.contains("after"));
    System.out.printf(
        "poison: a request that was deferred then has been run after %.1f s%n",
        (System.nanoTime() - began) / 1e9);
    if (TIME.compareTo(LETTERS_ARE_FEW) <= 0) {
      assertThat(tap.read("quota.dead-letters"))
          .filteredOn(letter -> !TopicTap.header(letter, "topic").isEmpty())
          .isNotEmpty()
          .noneMatch(letter -> TopicTap.header(letter, "reason").isEmpty());
    }
  }

  private static List<ProducerRecord<byte[], byte[]>> extremes(
      Topic<?, ?> topic, ExtremeRecords records) {
    boolean ofRules = topic.name().startsWith("quota.rule");
    byte[] key = key(ofRules ? "other/rule" : "posts/jobs/bob");
    int largest = Topics.MAX_RECORD_BYTES - 1_000;
    List<byte[]> values = new ArrayList<>();
    values.add(null);
    values.add(records.noise(1 + topic.name().length()));
    values.add(records.noise(900_000));
    values.add(records.noise(largest));
    values.add(records.noise(2 * largest));
    for (RecordType<?> type : topic.about().values()) {
      for (int i = 0; i < RECORDS_OF_A_TYPE; i++) {
        values.add(records.next(type));
      }
    }
    List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Long time = i % 10 == 3 ? Long.valueOf(DAWN) : i % 10 == 7 ? YEAR_2200 : null;
      byte[] keyOrNone = i % 10 == 9 && !ofRules ? null : key;
      int partition = i % topic.partitions();
      all.add(new ProducerRecord<>(topic.name(), partition, time, keyOrNone, values.get(i)));
    }
    return all;
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
