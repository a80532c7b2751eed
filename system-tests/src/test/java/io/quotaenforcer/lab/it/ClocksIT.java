package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.EnforcerProcess;
import io.quotaenforcer.enforcer.clock.HostClocks;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.lifecycle.EndingException;
import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clocks that are wrong: of an enforcer, of who publishes rules, of a service. What waits for them,
 * and for how long. With {@code -Dlong}, by a minute, an hour and a day in both directions.
 */
@Timeout(360)
class ClocksIT {
  private static final AtomicLong PREFIXES = new AtomicLong();
  private static final RuleId RULE = new RuleId("shop", "orders");
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Clocks RIGHT = Clocks.system();

  private static EmbeddedBroker broker;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
  private final String prefix = "clocks-" + PREFIXES.incrementAndGet() + ".";

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedBroker.start();
  }

  /** Each enforcer is told to end soon after its first grant, some while their group rebalances. */
  @AfterAll
  static void allHaveEnded() {
    try {
      await().atMost(SOON).untilAsserted(() -> assertThat(streamThreads()).isEmpty());
    } finally {
      broker.close();
    }
  }

  private static List<String> streamThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("clocks-") && name.contains("StreamThread"))
        .toList();
  }

  static Stream<Duration> errors() {
    Stream<Duration> all =
        System.getProperty("long") == null
            ? Stream.of(Duration.ofHours(1))
            : Stream.of(Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofDays(1));
    return all.flatMap(error -> Stream.of(error, error.negated()));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void enforcer_itsClockIsWrong_grantsNothingUntilItIsSet(Duration error) throws Exception {
    createTopics();
    publish(1, Duration.ZERO);
    AtomicLong ahead = new AtomicLong(error.toNanos());
    Started enforcer = start(ahead);

    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(enforcer.ready())
                    .contains(error.isNegative() ? "behind the brokers'" : "ahead of the brokers'")
                    .contains("set it, or theirs"));
    assertThat(enforcer.metrics())
        .containsPattern("quota_clock_ahead_seconds " + (error.isNegative() ? "-" : "") + "[1-9]");
    AdmissionClient service = service(RIGHT);
    assertThat(isGranted(service, "bob")).isFalse();
    long set = System.nanoTime();
    ahead.set(0);
    awaitGrant(service, "alice");
    say("enforcer", error, "refused until its clock was set, first grant after that", set);
    assertThat(enforcer.ready()).isEqualTo("200");
  }

  @ParameterizedTest
  @MethodSource("errors")
  void enforcer_itsHostsClockIsSetWrongWhileItRuns_goesOn(Duration error) throws Exception {
    createTopics();
    publish(1, Duration.ZERO);
    AtomicLong ahead = new AtomicLong();
    start(ahead);
    AdmissionClient service = service(RIGHT);
    awaitGrant(service, "alice");
    ahead.set(error.toNanos());
    long set = System.nanoTime();
    awaitGrant(service, "bob");
    say("running enforcer", error, "goes on by its own time, next grant after", set);
  }

  /** As of versions that did not compare clocks. */
  @ParameterizedTest
  @MethodSource("errors")
  void partition_leftByAnEnforcerWithAWrongClock_isGrantedFromAtOnce(Duration error)
      throws Exception {
    createTopics();
    stampSnapshotsBy("CreateTime");
    publish(1, Duration.ZERO);
    AdmissionClient service = service(RIGHT);
    try (Started wrong = start(new AtomicLong(error.toNanos()))) {
      awaitGrant(service, "alice");
    }
    stampSnapshotsBy("LogAppendTime");
    long began = System.nanoTime();
    start(new AtomicLong());
    awaitGrant(service, "bob");
    awaitGrant(service, "alice");
    say("enforcer before this one", error, "not refused, first grant after a start", began);
  }

  @ParameterizedTest
  @MethodSource("errors")
  void publisher_itsClockIsWrong_newGenerationIsGrantedOnceLeasesHaveEnded(Duration error)
      throws Exception {
    createTopics();
    publish(1, Duration.ZERO);
    start(new AtomicLong());
    AdmissionClient service = service(RIGHT);
    awaitGrant(service, "alice");
    long published = System.nanoTime();
    publish(2, error);
    await().atMost(SOON).until(() -> service.rules().rule(RULE).orElseThrow().generation() == 2);
    awaitGrant(service, "alice");
    say("publisher", error, "nothing is refused, first grant of the new generation", published);
  }

  @ParameterizedTest
  @MethodSource("errors")
  void service_itsClockIsWrong_isGrantedAtOnce(Duration error) throws Exception {
    createTopics();
    publish(1, Duration.ZERO);
    start(new AtomicLong());
    awaitGrant(service(RIGHT), "alice");
    AdmissionClient service = service(ahead(new AtomicLong(error.toNanos())));
    long began = System.nanoTime();
    awaitGrant(service, "alice");
    say("service", error, "nothing is refused, first grant", began);
  }

  private void createTopics() {
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=1", "--prefix=" + prefix, server);
  }

  /** Another number is another generation: the algorithm's period changes. */
  private void publish(int generation, Duration clockError) throws Exception {
    Rule rule =
        Rule.of(
                RULE,
                List.of("user"),
                new FixedWindow(1_000, Duration.ofMinutes(generation).toNanos()))
            .withEnforcement(Enforcement.STRICT)
            .withVersion(generation, generation);
    long stamp = System.currentTimeMillis() + clockError.toMillis();
    Wire wire = Wire.of(prefix, Codecs.withoutRegistry());
    Map<String, Object> properties = Map.of("bootstrap.servers", broker.bootstrapServers());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      String topic = wire.topics().rules().name();
      byte[] key = RULE.toString().getBytes(StandardCharsets.UTF_8);
      producer.send(new ProducerRecord<>(topic, 0, stamp, key, wire.encode(rule, stamp))).get();
    }
  }

  private void stampSnapshotsBy(String type) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, prefix + "snapshots");
      ConfigEntry entry = new ConfigEntry("message.timestamp.type", type);
      AlterConfigOp change = new AlterConfigOp(entry, AlterConfigOp.OpType.SET);
      admin.incrementalAlterConfigs(Map.of(topic, List.of(change))).all().get();
    }
  }

  private static Clocks ahead(AtomicLong nanos) {
    return new Clocks(RIGHT.monotonicNanos(), () -> RIGHT.epochNanos().getAsLong() + nanos.get());
  }

  private static HostClocks host(Clocks clocks) {
    return new HostClocks(clocks.monotonicNanos(), clocks.epochNanos());
  }

  /** An enforcer of this process, on a host whose clock is ahead. */
  private Started start(AtomicLong ahead) throws Exception {
    try (ServerSocket free = new ServerSocket(0)) {
      int port = free.getLocalPort();
      free.close();
      EnforcerConfig config =
          EnforcerConfig.of(
              Map.of(
                  "bootstrap.servers",
                  broker.bootstrapServers(),
                  "topic.prefix",
                  prefix,
                  "application.id",
                  prefix + "enforcer",
                  "state.dir",
                  folder.resolve("state-" + port).toString(),
                  "http.port",
                  0,
                  "http.probe.port",
                  port));
      Lifecycle lifecycle = Lifecycle.start(SOON);
      EnforcerProcess process =
          new EnforcerProcess(
              config,
              () -> new PrefixInfo(1, QuotaKey.HASH_VERSION, 100),
              lifecycle,
              host(ahead(ahead)));
      Started started =
          new Started(port, lifecycle, CompletableFuture.runAsync(() -> begin(process)));
      open.add(started);
      return started;
    }
  }

  private static void begin(EnforcerProcess process) {
    try {
      process.start();
    } catch (EndingException e) {
      // The test is over.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Started(int port, Lifecycle lifecycle, CompletableFuture<Void> begun)
      implements AutoCloseable {
    /** The probe's answer: 200, or the reason why it is not ready. */
    String ready() throws IOException, InterruptedException {
      URI address = URI.create("http://127.0.0.1:" + port + "/health/ready");
      try {
        HttpResponse<String> answer =
            HttpClient.newHttpClient()
                .send(
                    HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() == 200 ? "200" : answer.body();
      } catch (ConnectException notYet) {
        return notYet.toString();
      }
    }

    /** The metrics as scraped. */
    String metrics() throws IOException, InterruptedException {
      URI address = URI.create("http://127.0.0.1:" + port + "/metrics");
      return HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }

    @Override
    public void close() {
      lifecycle.close();
      begun.join();
    }
  }

  private AdmissionClient service(Clocks clocks) throws Exception {
    AdmissionClient client =
        AdmissionClient.builder()
            .bootstrapServers(broker.bootstrapServers())
            .property("topic.prefix", prefix)
            .clocks(clocks)
            .build();
    open.add(client);
    assertThat(client.awaitRules(SOON)).isTrue();
    return client;
  }

  /** For a strict rule, so that only a grant admits it. */
  private static boolean isGranted(AdmissionClient service, String user)
      throws InterruptedException {
    return service.decide(Request.of("user", user), Duration.ofMillis(300)).admitted();
  }

  private static void awaitGrant(AdmissionClient service, String user) {
    await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(() -> isGranted(service, user));
  }

  private void say(String whose, Duration error, String what, long sinceNanos) {
    System.out.printf(
        Locale.ROOT,
        "clocks: %s %s %s: %s %.1f s%n",
        whose,
        error.abs(),
        error.isNegative() ? "behind" : "ahead",
        what,
        (System.nanoTime() - sinceNanos) / 1e9);
  }
}
