package io.quotaenforcer.bench.search;

import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.bench.process.EnforcerChild;
import io.quotaenforcer.bench.topology.EnforcerMetricsPage;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.lab.process.QuotaProgram;
import io.quotaenforcer.server.access.AccessTokens;
import io.quotaenforcer.server.access.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** A broker, an enforcer with many quota keys, and users whose first requests wait for grants. */
final class SearchRun implements AutoCloseable {
  static final int HEAP_MEBIBYTES = 256;
  static final int ROCKSDB_MEBIBYTES = 64;
  static final String FILLED = "bench/visits/";

  private static final int PARTITIONS = 16;
  private static final int FILLED_PER_SECOND = 20_000;

  /** More would take the memory that the broker beside it needs. */
  private static final int KEYS_OF_A_CLIENT = 100_000;

  private static final int FIRST_REQUESTS_PER_SECOND = 100;
  private static final int MOST_REQUESTS = 100_000;
  private static final String TOKEN = "a-token-of-the-bench";
  private static final Duration READY = Duration.ofMinutes(2);
  private static final Duration ALL_COUNTED = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final String RULES =
      """
      domain: bench
      rules:
        - {id: visits, key: [visitor], limit: {permits: 1000, per: 1d, algorithm: fixed-window}}
        - {id: first, key: [user], enforcement: strict, limit: {permits: 10, per: 10s}}
      """;

  private final TemporaryFolder folder = TemporaryFolder.create("quota-bench-search-");
  private final EmbeddedBroker broker = EmbeddedBroker.start();
  private final EnforcerChild enforcer;
  private final Operators operators;
  private final int keys;

  SearchRun(int keys) throws Exception {
    this.keys = keys;
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    Path rules = Files.writeString(folder.path().resolve("rules.yaml"), RULES);
    QuotaProgram.run("topics", "create", "--partitions=" + PARTITIONS, server);
    QuotaProgram.run("rules", "apply", rules.toString(), server);
    Path tokens =
        Files.writeString(
            folder.path().resolve("tokens"), AccessTokens.line("bench", Role.VIEWER, TOKEN) + "\n");
    enforcer =
        EnforcerChild.start(
            folder.path().resolve("enforcer"),
            broker.bootstrapServers(),
            new EnforcerChild.Limits(HEAP_MEBIBYTES, ROCKSDB_MEBIBYTES, Duration.ofSeconds(2)),
            "http.api.tokens.file=" + tokens,
            "http.api.requests.per.second=" + MOST_REQUESTS);
    enforcer.jvm().await("the enforcer listens", READY, () -> enforcer.httpAddress().isPresent());
    operators = new Operators(enforcer.httpAddress().orElseThrow(), TOKEN, keys);
    enforcer.jvm().await("the enforcer is ready", READY, operators::isReady);
  }

  /** The value of a key. */
  static String visitor(int number) {
    return "visitor-%07d".formatted(number);
  }

  /** Uses each key once, by one client after the other, and returns when all are counted. */
  void fill() throws Exception {
    EnforcerMetricsPage metrics = new EnforcerMetricsPage(enforcer.httpAddress().orElseThrow());
    for (int from = 0; from < keys; from += KEYS_OF_A_CLIENT) {
      int to = Math.min(keys, from + KEYS_OF_A_CLIENT);
      try (AdmissionClient client = client()) {
        long start = System.nanoTime();
        for (int i = from; i < to; i++) {
          client.decide(Request.of("visitor", visitor(i)));
          await(start + (i - from) * NANOS_PER_SECOND / FILLED_PER_SECOND);
        }
        enforcer
            .jvm()
            .await(
                "the keys to be counted",
                ALL_COUNTED,
                () -> metrics.sum("quota_permits_used_total") >= to);
      }
    }
  }

  /** Keys that the API finds. */
  long count() throws IOException, InterruptedException {
    return operators.count();
  }

  /** First requests of new users for some seconds, with searches beside them or without. */
  SearchPhase phase(String name, int seconds, boolean searches) throws Exception {
    operators.times().clear();
    long end = System.nanoTime() + seconds * NANOS_PER_SECOND;
    List<Thread> searching = new ArrayList<>();
    if (searches) {
      for (Operators.Operator operator :
          List.of(
              operators.reader(), operators.reader(), operators.typist(), operators.stranger())) {
        searching.add(operators.start(operator, () -> System.nanoTime() < end));
      }
    }
    Histogram grants = Times.histogram();
    AtomicLong refused = new AtomicLong();
    try (AdmissionClient client = client()) {
      List<CompletableFuture<?>> waiting = new ArrayList<>();
      long start = System.nanoTime();
      for (int i = 0; System.nanoTime() < end; i++) {
        waiting.add(first(client, name.hashCode() + "-" + i, grants, refused));
        await(start + i * NANOS_PER_SECOND / FIRST_REQUESTS_PER_SECOND);
      }
      CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).join();
    }
    for (Thread thread : searching) {
      thread.join();
    }
    return new SearchPhase(
        name, grants, refused.get(), operators.times(), enforcer.jvm().residentMebibytes());
  }

  private static CompletableFuture<?> first(
      AdmissionClient client, String user, Histogram grants, AtomicLong refused) {
    long asked = System.nanoTime();
    return client
        .decideAsync(Request.of("user", user), PATIENCE)
        .thenAccept(
            decision -> {
              if (!decision.admitted()) {
                refused.incrementAndGet();
                return;
              }
              synchronized (grants) {
                grants.recordValue(System.nanoTime() - asked);
              }
            });
  }

  private AdmissionClient client() throws InterruptedException {
    AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(broker.bootstrapServers()).build();
    if (!client.awaitRules(READY)) {
      client.close();
      throw new IllegalStateException("the client has no rules");
    }
    return client;
  }

  private static void await(long nanos) {
    long left = nanos - System.nanoTime();
    if (left > 0) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public void close() {
    enforcer.close();
    broker.close();
    folder.close();
  }
}
