package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.logging.CapturedLog;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A fleet that wrote without a schema registry gets one. */
@Timeout(900)
class MovingToRegistryIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String[] NEITHER = {};
  private static final Request REQUEST = Request.of("user", "ann");
  private static final QuotaKey KEY = QuotaKey.of(new RuleId("posts", "per-user"), List.of("ann"));
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 100000, per: 1d, algorithm: fixed-window}
          enforcement: strict
      """;

  @TempDir Path folder;

  @RegisterExtension private final CapturedLog log = new CapturedLog(snapshotReader());

  @AutoClose private final Opened open = new Opened();
  private GatedRegistry registry;
  private EmbeddedBroker broker;
  private EnforcerJvm enforcer;
  private AdmissionClient service;
  private long used;

  @BeforeEach
  void startAll() throws Exception {
    registry = GatedRegistry.start(folder);
    open.add(registry);
    broker = PreparedBroker.start(open, 2, folder, RULES);
    startEnforcer(NEITHER);
    startService(NEITHER);
  }

  @AfterEach
  void stopAll() throws Exception {
    service.close();
    enforcer.close();
  }

  @Test
  void allReadBothFirst_thenAllWriteIds_enforcersAlwaysFirst_nothingIsMissed() throws Exception {
    String[] reads = {"schema.registry.url=" + registry.url(), "record.format=single-object"};
    String[] writes = {"schema.registry.url=" + registry.url()};
    use();
    restartEnforcer(reads);
    use();
    restartService(reads);
    use();
    restartEnforcer(writes);
    use();
    restartService(writes);
    use();
    // Still without: only what it writes is read by others.
    emit(NEITHER);

    service.close();
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(enforcer.used(KEY, "user")).isEqualTo(used));
    assertThat(deadLetters()).isZero();
    assertThat(unreadable()).isEmpty();
  }

  @Test
  @Tag("long")
  void enforcerWritesIdsFirst_serviceSaysSoOnce_andIsAnsweredAgainOnceItReadsThem()
      throws Exception {
    use();
    restartEnforcer("schema.registry.url=" + registry.url());

    await().atMost(TIMEOUT).until(() -> isDegraded(service.decide(REQUEST)));
    long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
    await()
        .atMost(TIMEOUT)
        .until(
            () -> {
              service.decide(REQUEST);
              return System.nanoTime() > end;
            });
    assertThat(unreadable())
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .contains("quota.snapshots")
                    .contains("set schema.registry.url")
                    .contains("record.format=single-object"));

    restartEnforcer("schema.registry.url=" + registry.url(), "record.format=single-object");
    await()
        .atMost(TIMEOUT)
        .until(
            () -> {
              Decision decision = service.decideAsync(REQUEST, PATIENCE).get();
              return decision.admitted() && !isDegraded(decision);
            });
    assertThat(deadLetters()).isZero();
  }

  private static boolean isDegraded(Decision decision) {
    return decision.rule().orElseThrow().degraded();
  }

  /** The service is answered, and an event is counted. */
  private void use() throws Exception {
    await()
        .atMost(TIMEOUT)
        .until(
            () -> {
              Decision decision = service.decideAsync(REQUEST, PATIENCE).get();
              used += decision.admitted() ? 1 : 0;
              return decision.admitted() && !isDegraded(decision);
            });
  }

  private void emit(String... settings) {
    try (RequestEventEmitter events = RequestEventEmitter.create(properties(settings))) {
      events.emit(REQUEST, Outcome.ADMITTED);
    }
    used++;
  }

  private void startEnforcer(String... settings) throws Exception {
    enforcer = EnforcerJvm.start(folder.resolve("enforcer"), broker.bootstrapServers(), settings);
    enforcer.awaitReady();
  }

  private void restartEnforcer(String... settings) throws Exception {
    enforcer.terminate();
    startEnforcer(settings);
  }

  private void startService(String... settings) throws Exception {
    service = AdmissionClient.create(properties(settings));
    assertThat(service.awaitRules(TIMEOUT)).isTrue();
  }

  private void restartService(String... settings) throws Exception {
    service.close();
    startService(settings);
  }

  private Map<String, Object> properties(String... settings) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", broker.bootstrapServers());
    for (String setting : settings) {
      String[] words = setting.split("=", 2);
      properties.put(words[0], words[1]);
    }
    return properties;
  }

  private int deadLetters() {
    try (TopicTap tap = new TopicTap(broker.bootstrapServers())) {
      return tap.read("quota.dead-letters").size();
    }
  }

  private List<String> unreadable() {
    return log.said().stream().filter(line -> line.contains("unreadable")).toList();
  }

  private static Class<?> snapshotReader() {
    try {
      return Class.forName("io.quotaenforcer.client.internal.kafka.SnapshotReader");
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
