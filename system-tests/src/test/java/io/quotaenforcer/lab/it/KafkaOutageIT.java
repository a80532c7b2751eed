package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.BrokerOptions;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Readiness;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that stops while clients decide, and comes back. */
@Timeout(360)
class KafkaOutageIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration MAX_WAIT = Duration.ofMillis(500);
  private static final int PARTITIONS = 10;
  private static final int USERS = 60;
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: strict, match: {api: strict}, key: [user], enforcement: strict,
           limit: {permits: 1000, per: 1s, algorithm: fixed-window}}
        - {id: plain, match: {api: plain}, key: [user], limit: {permits: 1000, per: 1s}}
      """;

  /**
   * Cost of an outage to a caller, beside what the machine costs it: a thread that only sleeps
   * wakes late where others run. Far more than a call costs, and far less than one that waits.
   */
  private static final long DECIDE_P99_MILLIS = 100;

  private static final long PAUSE_NANOS = 2_000_000;

  /** On a machine where other tests run: 550 where nothing else does. */
  private static final long WAIT_P99_MILLIS = 650;

  private static final int MOST_LINES_A_MINUTE = 40;

  /** One of several may fall into a time in which the machine stands still. */
  private static final int SAMPLES = 3;

  /** Where a machine stands still meanwhile; Kafka's own clients would try for half a minute. */
  private static final long MOST_CLOSE_MILLIS = 10_000;

  /** Where it does not: less than the timeout that a client has by default, 3 s. */
  private static final long LEAST_CLOSE_MILLIS = 2_500;

  /** By then a producer has given up what was on its way, and is closed. */
  private static final Duration GIVEN_UP = Duration.ofSeconds(13);

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();

  @Test
  void client_kafkaStopsAndComesBack_isNeverInTheWay() throws Exception {
    BrokerOptions options =
        BrokerOptions.defaults()
            .withPort(BadInputIT.freePort())
            .withDataFolder(folder.resolve("broker"));
    EmbeddedBroker broker = PreparedBroker.start(open, options, PARTITIONS, folder, RULES);
    EnforcerJvm enforcer = EnforcerJvm.start(folder.resolve("enforcer"), broker.bootstrapServers());
    open.add(enforcer);
    AdmissionClient client = client(broker, "plain-1", "none");
    AdmissionClient busy = client(broker, "busy-1", "all");
    busy.replays(replay -> ReplayOutcome.done(), ReplayOptions.DEFAULTS);
    assertThat(busy.awaitRules(TIMEOUT)).isTrue();
    assertThat(client.awaitRules(TIMEOUT)).isTrue();
    assertThat(client.isReady()).isTrue();
    for (int user = 0; user < USERS; user++) {
      Request request = request("strict", user);
      await().atMost(TIMEOUT).until(() -> isAnswered(client, request));
    }

    try (KafkaLog log = KafkaLog.open()) {
      broker.close();
      Latencies waits = new Latencies();
      Latencies decisions = new Latencies();
      Latencies pauses = new Latencies();
      long end = System.nanoTime() + Duration.ofSeconds(16).toNanos();
      long settled = System.nanoTime() + GIVEN_UP.toNanos();
      int busyAtFirst = 0;
      long before = System.nanoTime();
      long stood = 0;
      for (int i = 0; System.nanoTime() < end; i++) {
        long now = System.nanoTime();
        stood = Math.max(stood, now - before);
        before = now;
        busyAtFirst = System.nanoTime() < settled ? log.lines("busy-1").size() : busyAtFirst;
        busy.decide(request("plain", i % USERS));
        Request strict = request("strict", i % USERS);
        decisions.time(() -> client.decide(request("plain", -1)));
        waits.await(client.decideAsync(strict, MAX_WAIT));
        pauses.time(() -> LockSupport.parkNanos(PAUSE_NANOS));
      }
      waits.join();
      double lateMillis = Math.max(0, pauses.millis(0.99) - PAUSE_NANOS / 1e6);
      // Where the machine stands still for this thread, it does for the one that ends waits.
      double stoodMillis = stood / 1e6;
      long blockedMillis = Long.MAX_VALUE;
      for (int i = 1; i <= SAMPLES; i++) {
        long blocked = System.nanoTime();
        client.decide(request("strict", USERS + i), MAX_WAIT);
        blockedMillis = Math.min(blockedMillis, (System.nanoTime() - blocked) / 1_000_000);
      }
      List<String> lines = log.lines("plain-1");
      int busyLater = log.lines("busy-1").size() - busyAtFirst;
      System.out.printf(
          Locale.ROOT,
          "Kafka stopped: decide p99 %.3f ms, decideAsync(500 ms) p99 %.1f, most %.1f ms of %d;"
              + " log lines in 16 s: %d; with events and replays: %d in 13 s, then %d; the machine"
              + " stood still for %.0f ms, and a sleeper woke late by p99 %.1f ms%n",
          decisions.millis(0.99),
          waits.millis(0.99),
          waits.millis(1),
          waits.count(),
          lines.size(),
          busyAtFirst,
          busyLater,
          stoodMillis,
          lateMillis);

      assertThat(decisions.millis(0.99)).isLessThanOrEqualTo(DECIDE_P99_MILLIS + lateMillis);
      assertThat(waits.millis(0.99)).isLessThanOrEqualTo(WAIT_P99_MILLIS + stoodMillis);
      assertThat(blockedMillis).isLessThanOrEqualTo(WAIT_P99_MILLIS);
      assertThat(lines).hasSizeLessThanOrEqualTo(MOST_LINES_A_MINUTE);
      assertThat(busyLater).isLessThanOrEqualTo(MOST_LINES_A_MINUTE / 4);
      assertThat(lines).filteredOn(line -> line.contains("Kafka cannot be reached")).hasSize(1);

      open.add(EmbeddedBroker.start(options));
      // A permit that rests is no sign of Kafka.
      await()
          .atMost(TIMEOUT)
          .until(
              () ->
                  log.lines("plain-1").stream()
                      .anyMatch(line -> line.contains("Kafka can be reached again")));
      await().atMost(TIMEOUT).until(() -> isAnswered(client, request("strict", 0)));
      assertThat(log.lines("plain-1"))
          .filteredOn(line -> line.contains("Kafka can be reached again"))
          .hasSize(1);
      // Its partition may not have been taken up again: a wait longer than the outage is no
      // failure.
      assertThat(client.decideAsync(request("strict", 1), Duration.ofMinutes(2)))
          .succeedsWithin(TIMEOUT)
          .matches(Decision::admitted);
    }
  }

  @Test
  void start_kafkaStopped_decidesByTheRulesOfLastTime() throws Exception {
    EmbeddedBroker broker = PreparedBroker.start(open, 2, folder, RULES);
    Map<String, String> settings =
        Map.of(
            "bootstrap.servers",
            broker.bootstrapServers(),
            "rules.cache",
            folder.resolve("rules.cache").toString(),
            "close.timeout",
            "1s");
    try (AdmissionClient first = AdmissionClient.create(settings)) {
      assertThat(first.awaitRules(TIMEOUT)).isTrue();
    }
    broker.close();

    try (AdmissionClient next = AdmissionClient.create(settings)) {
      assertThat(next.readiness()).isInstanceOf(Readiness.OfLastTime.class);
      assertThat(next.rules().rules()).hasSize(2);
      assertThat(next.decide(request("strict", 1))).isInstanceOf(Decision.Throttled.class);
      assertThat(next.decide(request("plain", 1))).isInstanceOf(Decision.Admitted.class);
      assertThat(next.decide(request("other", 1))).isInstanceOf(Decision.Unmatched.class);
    }
  }

  @Test
  void close_kafkaStopped_endsInTime() throws Exception {
    EmbeddedBroker broker = PreparedBroker.start(open, PARTITIONS, folder, RULES);
    List<AdmissionClient> clients = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      AdmissionClient client = client(broker, "closing-" + i, "all", "500ms");
      assertThat(client.awaitRules(TIMEOUT)).isTrue();
      for (int user = 0; user < USERS; user++) {
        client.decide(request("plain", user));
      }
      clients.add(client);
    }
    List<CompletableFuture<Decision>> waiting = new ArrayList<>();
    for (AdmissionClient client : clients) {
      waiting.add(client.decideAsync(request("strict", 0), Duration.ofNanos(Long.MAX_VALUE)));
    }
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    broker.close();

    long least = Long.MAX_VALUE;
    for (AdmissionClient client : clients) {
      long begun = System.nanoTime();
      client.close();
      long millis = (System.nanoTime() - begun) / 1_000_000;
      least = Math.min(least, millis);
      assertThat(millis).isLessThan(MOST_CLOSE_MILLIS);
    }

    System.out.printf("Kafka stopped: closed in %d ms of 500%n", least);
    assertThat(least).isLessThan(LEAST_CLOSE_MILLIS);
    for (CompletableFuture<Decision> each : waiting) {
      assertThat(each).succeedsWithin(TIMEOUT).matches(decision -> !decision.admitted());
    }
  }

  private AdmissionClient client(EmbeddedBroker broker, String instance, String events) {
    return client(broker, instance, events, "1s");
  }

  private AdmissionClient client(
      EmbeddedBroker broker, String instance, String events, String closeTimeout) {
    AdmissionClient client =
        AdmissionClient.create(
            Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "instance.id",
                instance,
                "request.events",
                events,
                "close.timeout",
                closeTimeout));
    open.add(client);
    return client;
  }

  private static boolean isAnswered(AdmissionClient client, Request request) {
    Decision decision = client.decide(request);
    return decision.admitted() && decision.rule().stream().noneMatch(RuleDecision::degraded);
  }

  private static Request request(String api, int user) {
    return Request.of("api", api, "user", "user-" + user);
  }

  /** How long calls took. */
  private static final class Latencies {
    private final ConcurrentLinkedQueue<Long> nanos = new ConcurrentLinkedQueue<>();
    private final List<CompletableFuture<?>> futures = new ArrayList<>();

    void time(Runnable call) {
      LongSupplier since = sinceNow();
      call.run();
      nanos.add(since.getAsLong());
    }

    void await(CompletableFuture<?> future) {
      LongSupplier since = sinceNow();
      futures.add(future.thenRun(() -> nanos.add(since.getAsLong())));
    }

    void join() {
      futures.forEach(future -> assertThat(future).succeedsWithin(TIMEOUT));
    }

    int count() {
      return nanos.size();
    }

    double millis(double quantile) {
      long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
      int index = (int) Math.ceil(quantile * sorted.length) - 1;
      return sorted[Math.max(0, index)] / 1e6;
    }

    private static LongSupplier sinceNow() {
      long begun = System.nanoTime();
      return () -> System.nanoTime() - begun;
    }
  }
}
