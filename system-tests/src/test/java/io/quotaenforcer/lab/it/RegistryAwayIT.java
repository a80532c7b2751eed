package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An enforcer cannot reach the schema registry: what it cannot read yet waits, and is not lost. */
@Timeout(540)
class RegistryAwayIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int EVENTS = 20;
  private static final int PARTITIONS = 2;
  private static final Request REQUEST = Request.of("user", "ann");
  private static final Request JOB = Request.of("user", "ann", "kind", "job");
  private static final Request SOON = Request.of("user", "bea", "kind", "soon");
  private static final QuotaKey KEY = QuotaKey.of(new RuleId("posts", "per-user"), List.of("ann"));
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: jobs
          key: [user]
          match: {kind: job}
          limit: {permits: 1, per: 1h, algorithm: fixed-window}
          over-limit: defer
        - id: soon
          key: [user]
          match: {kind: soon}
          limit: {permits: 1, per: 10s, algorithm: fixed-window}
          over-limit: defer
          enforcement: strict
        - id: per-user
          key: [user]
          limit: {permits: 1000, per: 1s}
          enforcement: strict
      """;

  private static final AtomicInteger PREFIXES = new AtomicInteger();

  @TempDir static Path shared;
  @AutoClose private static final Opened SERVERS = new Opened();
  private static GatedRegistry registry;
  private static EmbeddedBroker broker;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
  private final HttpClient http = HttpClient.newHttpClient();
  private final String prefix = "away-" + PREFIXES.incrementAndGet() + ".";
  private AdmissionClient client;
  private TopicTap tap;

  @BeforeAll
  static void startServers() throws Exception {
    registry = GatedRegistry.start(shared);
    SERVERS.add(registry);
    broker = EmbeddedBroker.start();
    SERVERS.add(broker);
  }

  @BeforeEach
  void startClient() throws Exception {
    registry.open();
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    String schemas = "--schema-registry=" + registry.url();
    String ofPrefix = "--prefix=" + prefix;
    QuotaRun.done("topics", "create", "--partitions=" + PARTITIONS, ofPrefix, server, schemas);
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    QuotaRun.done("rules", "apply", rules.toString(), ofPrefix, server, schemas);
    tap = new TopicTap(broker.bootstrapServers());
    open.add(tap);
    client =
        AdmissionClient.builder()
            .bootstrapServers(broker.bootstrapServers())
            .property("topic.prefix", prefix)
            .property("schema.registry.url", registry.url())
            .build();
    open.add(client);
    assertThat(client.awaitRules(TIMEOUT)).isTrue();
  }

  @Test
  void enforcerThatRuns_registryAwayAndBack_losesNothing() throws Exception {
    EnforcerJvm enforcer = enforcer();
    enforcer.awaitReady();
    registry.shut();
    Asked asked = ask();
    await("the enforcer to say what it waits for")
        .atMost(TIMEOUT)
        .until(() -> says(enforcer, "a record cannot be read yet"));
    await("the enforcer to be not ready, after it tried again and again")
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .until(() -> enforcer.get("/health/ready").body().contains("the last by: schema registry"));
    assertThat(tap.read(prefix + "dead-letters")).isEmpty();

    long back = System.nanoTime();
    registry.open();
    check(enforcer, asked);
    System.out.printf(
        "registry: all is counted, and the enforcer ready, %.1f s after it is back%n",
        (System.nanoTime() - back) / 1e9);
  }

  @Test
  void enforcerThatStarts_registryAway_waitsAndSaysSo_andLosesNothingOnceItIsBack()
      throws Exception {
    registry.shut();
    Asked asked = ask();
    ChildJvm starting =
        EnforcerJvm.launch(
            folder.resolve("enforcer"), broker.bootstrapServers(), "http.port=0", settings());
    open.add(starting);
    await("health to say what the enforcer waits for")
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(probe(starting))
                    .as("%s", starting)
                    .contains("waiting for the schema registry"));
    // Longer than the rules may take, and than several attempts do.
    await().during(Duration.ofSeconds(8)).atMost(TIMEOUT).until(starting::isAlive);
    assertThat(asked.decision).isNotDone();

    registry.open();
    check(EnforcerJvm.of(starting), asked);
  }

  @Test
  @Tag("long")
  void enforcerThatRuns_registryAway_writesWhatItNeverWroteBefore() throws Exception {
    EnforcerJvm enforcer = enforcer();
    enforcer.awaitReady();
    assertThat(client.decideAsync(SOON, PATIENCE).get().admitted()).isTrue();
    Deferred waiting = client.defer(SOON, Deferral.of(new byte[] {1}).withId("soon-1")).get();
    assertThat(waiting).isInstanceOf(Deferred.Accepted.class);
    assertThat(tap.read(prefix + "replays")).isEmpty();
    registry.shut();

    await("the replay")
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(tap.read(prefix + "replays")).hasSize(1));
    assertThat(enforcer.get("/health/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void emitter_registryAway_keepsItsEvents() throws Exception {
    EnforcerJvm enforcer = enforcer();
    registry.shut();
    try (RequestEventEmitter emitter = emitter(registry.gatedUrl())) {
      for (int i = 0; i < EVENTS; i++) {
        emitter.emit(REQUEST, Outcome.ADMITTED);
      }
      await()
          .during(Duration.ofSeconds(3))
          .untilAsserted(() -> assertThat(emitter.acknowledged()).isZero());
      registry.open();
      await()
          .atMost(TIMEOUT)
          .untilAsserted(() -> assertThat(emitter.acknowledged()).isEqualTo(EVENTS));
    }
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(enforcer.used(KEY, "user")).isEqualTo(EVENTS));
  }

  /** Health while nothing else listens yet; why it cannot be had, if nothing answers. */
  private String probe(ChildJvm starting) throws Exception {
    List<Integer> ports = starting.listeningPorts();
    if (ports.isEmpty()) {
      return "nothing listens yet";
    }
    URI ready = URI.create("http://127.0.0.1:%d/health/ready".formatted(ports.get(0)));
    try {
      return http.send(
              HttpRequest.newBuilder(ready).timeout(PROBE_TIMEOUT).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return "port %d: %s".formatted(ports.get(0), e);
    }
  }

  private record Asked(
      CompletableFuture<Decision> decision, CompletableFuture<Deferred> deferred) {}

  /** Something of each kind that an enforcer reads. */
  private Asked ask() throws Exception {
    CompletableFuture<Decision> decision = client.decideAsync(REQUEST, PATIENCE);
    CompletableFuture<Deferred> deferred =
        client.defer(JOB, Deferral.of(new byte[] {1}).withId("job-1"));
    try (RequestEventEmitter emitter = emitter(registry.url())) {
      for (int i = 0; i < EVENTS; i++) {
        emitter.emit(REQUEST, Outcome.ADMITTED);
      }
    }
    return new Asked(decision, deferred);
  }

  private RequestEventEmitter emitter(String registryUrl) {
    return RequestEventEmitter.create(
        Map.of(
            "bootstrap.servers",
            broker.bootstrapServers(),
            "topic.prefix",
            prefix,
            "schema.registry.url",
            registryUrl));
  }

  private void check(EnforcerJvm enforcer, Asked asked) throws Exception {
    long used = EVENTS + (asked.decision.get().admitted() ? 1 : 0);
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(enforcer.used(KEY, "user")).isEqualTo(used));
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .until(() -> enforcer.get("/health/ready").statusCode() == 200);
    String shown = "--enforcer=http://" + enforcer.address();
    await()
        .atMost(TIMEOUT)
        .until(() -> QuotaRun.of("deferred", "show", "job-1", shown).exitCode() == 0);
    assertThat(tap.read(prefix + "dead-letters")).isEmpty();
  }

  private static boolean says(EnforcerJvm enforcer, String text) {
    return enforcer.jvm().err().stream().anyMatch(line -> line.contains(text));
  }

  private String settings() {
    return "topic.prefix=%s\napplication.id=%senforcer\nschema.registry.url=%s"
        .formatted(prefix, prefix, registry.gatedUrl());
  }

  private EnforcerJvm enforcer() throws Exception {
    EnforcerJvm enforcer =
        EnforcerJvm.start(folder.resolve("enforcer"), broker.bootstrapServers(), settings());
    open.add(enforcer);
    return enforcer;
  }
}
