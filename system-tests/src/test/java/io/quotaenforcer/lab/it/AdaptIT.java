package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A limit that follows what three instances say of their load. */
@Tag("alone")
@Timeout(720)
class AdaptIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int INSTANCES = 3;
  private static final int LIMIT = 100;

  /** What is admitted in as long tells a limit from one that is twice as high. */
  private static final int SECONDS = 2;

  private static final long SECOND = 1_000_000_000L;

  /**
   * The condition must last for 2 s; signals and decisions come once a second, then a loop: 5 s
   * where nothing stands still.
   */
  private static final Duration AIM = Duration.ofSeconds(15);

  private static final String RULES =
      """
      domain: api
      rules:
        - id: all
          limit: {permits: 100, per: 1s, algorithm: fixed-window}
          enforcement: strict
          adapt:
            steps: [{when: cpu > 80%, for: 2s, to: 50%, recover: +25% per 1s}]
            without-signal: 20%
            hold: 3s
      """;

  @TempDir Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<AdmissionClient> clients = new ArrayList<>();
  private final ScheduledExecutorService load = Executors.newScheduledThreadPool(2);
  private final ConcurrentLinkedQueue<Long> admitted = new ConcurrentLinkedQueue<>();
  private volatile double cpu = 0.3;
  private String server = "";
  private EmbeddedBroker broker;

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.start();
    open.add(broker);
    server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=2", server);
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    QuotaRun.done("rules", "apply", rules.toString(), server);
    open.add(enforcer("enforcer"));
    for (int i = 0; i < INSTANCES; i++) {
      AdmissionClient client =
          AdmissionClient.builder().bootstrapServers(broker.bootstrapServers()).build();
      open.add(client);
      assertThat(client.awaitRules(TIMEOUT)).isTrue();
      client.load().measure(LoadQuantity.CPU, () -> cpu);
      clients.add(client);
      load.scheduleAtFixedRate(() -> ask(client), 0, 5, TimeUnit.MILLISECONDS);
    }
  }

  private EnforcerJvm enforcer(String name) throws Exception {
    EnforcerJvm enforcer = EnforcerJvm.start(folder.resolve(name), broker.bootstrapServers());
    enforcer.awaitReady();
    return enforcer;
  }

  @AfterEach
  void stopAll() throws Exception {
    load.shutdownNow();
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private void ask(AdmissionClient client) {
    if (client.decide(Request.of("api", "any")).admitted()) {
      admitted.add(System.nanoTime());
    }
  }

  private long limitAt(AdmissionClient client) {
    return client.decide(Request.of("api", "any")).rule().map(RuleDecision::limit).orElse(-1L);
  }

  /** How long it takes until every instance knows of this limit. */
  private Duration untilAllKnow(long limit) {
    long from = System.nanoTime();
    await()
        .atMost(TIMEOUT)
        .until(() -> clients.stream().allMatch(client -> limitAt(client) == limit));
    return Duration.ofNanos(System.nanoTime() - from);
  }

  /** What is admitted in so many seconds from now, by requests of all instances. */
  private long admittedIn(int seconds) {
    long from = System.nanoTime();
    await()
        .pollDelay(Duration.ofSeconds(seconds))
        .atMost(TIMEOUT)
        .until(() -> System.nanoTime() - from >= seconds * SECOND);
    long to = from + seconds * SECOND;
    return admitted.stream().filter(at -> at >= from && at < to).count();
  }

  /**
   * Windows of a second, of which as many and one more touch the time. Who asks may stand still for
   * most of it.
   */
  private static void isKept(long count, int seconds, long limit) {
    assertThat(count).isLessThanOrEqualTo((seconds + 1) * limit).isGreaterThan(seconds * limit / 8);
  }

  @Test
  void limit_isHalvedUnderLoad_heldByNobodysSignal_andComesBack() throws Exception {
    untilAllKnow(LIMIT);
    isKept(admittedIn(SECONDS), SECONDS, LIMIT);

    cpu = 0.95;
    Duration halved = untilAllKnow(LIMIT / 2);
    // A second for the window that turns.
    admittedIn(1);
    isKept(admittedIn(SECONDS), SECONDS, LIMIT / 2);
    assertThat(halved).isLessThan(AIM);
    assertThat(QuotaRun.done("limits", server).out())
        .containsPattern("api/all +50% +20\\S+Z +cpu > 80%: it was 95%");
    assertThat(QuotaRun.done("limits", "-o", "json", server).out())
        .contains("\"rule\" : \"api/all\"", "\"part\" : 0.5", "cpu > 80%: it was 95%");

    open.remove(1).close();
    open.add(1, enforcer("successor"));
    admittedIn(1);
    isKept(admittedIn(SECONDS), SECONDS, LIMIT / 2);

    cpu = Double.NaN;
    Duration lost = untilAllKnow(LIMIT / 5);
    admittedIn(1);
    isKept(admittedIn(SECONDS), SECONDS, LIMIT / 5);

    cpu = 0.3;
    Duration back = untilAllKnow(LIMIT);
    isKept(admittedIn(SECONDS), SECONDS, LIMIT);
    System.out.printf(
        "adapt: halved after %d ms, without signal after %d ms, back after %d ms%n",
        halved.toMillis(), lost.toMillis(), back.toMillis());
  }
}
