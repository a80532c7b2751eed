package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.backtest.Backtest;
import io.quotaenforcer.core.backtest.BacktestBounds;
import io.quotaenforcer.core.backtest.SeenAttributes;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.backtest.BacktestInput;
import io.quotaenforcer.enforcer.backtest.BacktestReport;
import io.quotaenforcer.enforcer.backtest.EventBacktests;
import io.quotaenforcer.enforcer.backtest.EventBacktests.Question;
import io.quotaenforcer.enforcer.backtest.EventsReport;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code quota backtest --events-from}, on request events in a real broker. */
@Timeout(180)
class BacktestIT {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int PARTITIONS = 4;
  private static final int EVENTS = 20_000;
  private static final Instant START =
      Instant.now().minus(Duration.ofHours(3)).truncatedTo(ChronoUnit.SECONDS);
  private static final long GAP_MICROS = 100_000;
  private static final String RULES =
      """
      domain: events
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 20, per: 1m}
        - id: in-all
          limit: {permits: 900, per: 1m, algorithm: token-bucket}
      """;

  private static final EventBacktests.Audience ALL =
      new EventBacktests.Audience() {
        @Override
        public boolean waits() {
          return true;
        }

        @Override
        public void hears(long events, double share) {}
      };

  @TempDir static Path folder;

  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() throws Exception {
    broker = EmbeddedBroker.start();
    Files.writeString(folder.resolve("rules.yaml"), RULES);
    Files.writeString(folder.resolve("old.yaml"), RULES.replace("permits: 20", "permits: 40"));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void events_overPartitionsRepeatedAndDamaged_areDecidedInTheOrderOfTheirTimes() throws Exception {
    topics("a.");
    Wire wire = Wire.of("a.", Codecs.withoutRegistry());
    String topic = wire.topics().requestEvents().name();
    SplittableRandom random = new SplittableRandom(7);
    List<RequestEvent> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      events.add(event(i, random));
    }
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      write(producer, wire, topic, 0, event(-1, random));
      // One partition after the other: whoever takes them as they come has them out of order.
      for (int partition = 0; partition < PARTITIONS; partition++) {
        for (int i = partition; i < EVENTS; i += PARTITIONS) {
          write(producer, wire, topic, partition, events.get(i));
          if (i % 50 == 0) {
            write(producer, wire, topic, partition, events.get(i));
          }
        }
      }
      byte[] future = wire.encode(event(EVENTS + 864_000, random));
      producer.send(new ProducerRecord<>(topic, 1, null, new byte[] {1, 2, 3})).get();
      producer.send(new ProducerRecord<>(topic, 2, null, future)).get();
    }

    JsonNode json =
        json("--prefix=a.", "--events-from=" + START, "--against=" + folder.resolve("old.yaml"));

    assertThat(json.path("read").asInt()).isEqualTo(EVENTS + EVENTS / 50 + 2);
    assertThat(json.path("repeated").asInt()).isEqualTo(EVENTS / 50);
    assertThat(json.path("unreadable").asInt()).isEqualTo(2);
    assertThat(json.path("late").asInt()).isZero();
    assertThat(json.path("throttled").asInt()).isPositive();
    assertThat(json.path("against").path("newlyThrottled").asInt()).isPositive();
    JsonNode expected = expected(events);
    for (String field : List.of("first", "last", "requests", "admitted", "throttled", "perRule")) {
      assertThat(json.path(field)).as(field).isEqualTo(expected.path(field));
    }
    assertThat(json.path("topKeys")).isEqualTo(expected.path("topKeys"));
    assertThat(json.path("against")).isEqualTo(expected.path("against"));
    assertSameAtAnEnforcer(wire, json);
  }

  /** What an enforcer runs for the API has the same figures. */
  private static void assertSameAtAnEnforcer(Wire wire, JsonNode json) throws Exception {
    Question question =
        new Question(rules("rules.yaml").rules(), rules("old.yaml").rules(), START, Instant.now());
    EventsReport report =
        EventBacktests.inKafka(KafkaConnection.to(broker.bootstrapServers(), "the test"), wire)
            .begin(question, ALL)
            .orElseThrow()
            .get(30, TimeUnit.SECONDS);
    JsonNode same = MAPPER.readTree(MAPPER.writeValueAsString(report.report()));
    for (String field :
        List.of("read", "repeated", "unreadable", "requests", "admitted", "throttled", "perRule")) {
      assertThat(same.path(field)).as(field).isEqualTo(json.path(field));
    }
    long happened = 0;
    for (Outcome outcome : Outcome.values()) {
      happened += report.happened().all(outcome);
    }
    assertThat(happened).isEqualTo(EVENTS);
    assertThat(report.seen().stop()).isEqualTo(EventsReport.Stop.NONE);
    System.out.printf(
        "back-test at an enforcer: %,d events in %d ms%n",
        json.path("read").asLong(), report.seen().took().toMillis());
  }

  @Test
  void events_fromAnEmitter_areRead_andNoneIsSaid() throws Exception {
    topics("b.");
    QuotaRun none = backtest("--prefix=b.", "--events-from=1h");
    assertThat(none.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(none.err())
        .startsWith("error: there are no request events since ")
        .contains(" in b.request-events; go further back, or emit some");

    try (RequestEventEmitter emitter =
        RequestEventEmitter.create(
            Map.of(
                "bootstrap.servers", broker.bootstrapServers(),
                "topic.prefix", "b.",
                "service", "web"))) {
      for (int i = 0; i < 30; i++) {
        emitter.emit(Request.of("user", "ann"), Outcome.ADMITTED);
      }
    }
    QuotaRun run = backtest("--prefix=b.", "--events-from=1h");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("b.request-events, ")
        .contains("\nevents 30: admitted ")
        .contains("events/per-user/ann");
  }

  @Test
  void prefix_withoutTopics_isNamed() {
    QuotaRun run = backtest("--prefix=none.", "--events-from=1h");

    assertThat(run.err()).startsWith("error: there are no topics with prefix none.");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
  }

  private static JsonNode expected(List<RequestEvent> events) throws Exception {
    Backtest backtest =
        new Backtest(
            rules("rules.yaml").rules(),
            Optional.of(rules("old.yaml").rules()),
            BacktestBounds.DEFAULTS);
    events.forEach(event -> backtest.add(event.request(), event.timeMicros() * 1_000));
    BacktestInput input =
        new BacktestInput(
            "", "events", new BacktestInput.Counts(0, 0, 0), List.of(), new SeenAttributes());
    return MAPPER.readTree(MAPPER.writeValueAsString(BacktestReport.of(input, backtest.end(10))));
  }

  private static RuleFile.Valid rules(String file) throws Exception {
    return (RuleFile.Valid) RuleFile.parse(file, Files.readString(folder.resolve(file)));
  }

  /** Events at equal times would be decided in any order; these have none. */
  private static RequestEvent event(int index, SplittableRandom random) {
    double point = random.nextDouble();
    return new RequestEvent(
        "id-" + index,
        Request.of("user", "u" + (int) (point * point * 40)),
        START.toEpochMilli() * 1_000 + index * GAP_MICROS,
        Outcome.values()[random.nextInt(3)],
        random.nextBoolean() ? CountedBy.CLIENT : CountedBy.ENFORCER,
        "web");
  }

  private static void write(
      KafkaProducer<byte[], byte[]> producer,
      Wire wire,
      String topic,
      int partition,
      RequestEvent event) {
    producer.send(
        new ProducerRecord<>(
            topic,
            partition,
            // Written a little later than it was made.
            event.timeMicros() / 1_000 + 20,
            event.id().getBytes(StandardCharsets.UTF_8),
            wire.encode(event)));
  }

  private static void topics(String prefix) {
    QuotaRun.done(
        "topics",
        "create",
        "--partitions=" + PARTITIONS,
        "--prefix=" + prefix,
        "--bootstrap-server=" + broker.bootstrapServers());
  }

  private static JsonNode json(String... arguments) throws Exception {
    Path file = folder.resolve("report.json");
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json=" + file);
    QuotaRun run = backtest(all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return MAPPER.readTree(file.toFile());
  }

  private static QuotaRun backtest(String... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "backtest",
                "--rules=" + folder.resolve("rules.yaml"),
                "--bootstrap-server=" + broker.bootstrapServers()));
    all.addAll(List.of(arguments));
    return QuotaRun.of(all.toArray(String[]::new));
  }
}
