package io.quotaenforcer.lab.it;

import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.lab.process.BrokerJvms;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.server.access.AccessTokens;
import io.quotaenforcer.server.access.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * Three brokers and two enforcers, which are named A and B, in processes of their own; a service in
 * this one, whose users ask steadily; and a Prometheus.
 */
final class WatchedSite implements AutoCloseable {
  static final String VIEWER = "a-token-of-a-viewer";
  private static final int ENFORCERS = 2;
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          enforcement: strict
          limit: {permits: 50, per: 1s, algorithm: fixed-window}
      """;

  private final Opened open = new Opened();
  private final ScheduledExecutorService users = Executors.newSingleThreadScheduledExecutor();
  private final Path folder;
  private final List<Integer> ports = new ArrayList<>();
  private final List<Integer> probes = new ArrayList<>();
  private final List<EnforcerJvm> enforcers = new ArrayList<>();
  private final AtomicReferenceArray<ChildJvm> processes = new AtomicReferenceArray<>(ENFORCERS);
  private final BrokerJvms brokers;
  private final Prometheus prometheus;

  WatchedSite(Path folder) throws Exception {
    this.folder = folder;
    try {
      brokers = BrokerJvms.start(folder.resolve("brokers"));
      open.add(brokers);
      String server = "--bootstrap-server=" + brokers.bootstrapServers();
      QuotaRun.done("topics", "create", "--partitions=8", server);
      Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
      QuotaRun.done("rules", "apply", rules.toString(), server);
      Files.writeString(
          folder.resolve("tokens"), AccessTokens.line("vic", Role.VIEWER, VIEWER) + "\n");
      for (int i = 0; i < ENFORCERS; i++) {
        ports.add(BadInputIT.freePort());
        probes.add(BadInputIT.freePort());
        enforcers.add(EnforcerJvm.of(launch(i)));
      }
      enforcers.forEach(EnforcerJvm::awaitReady);
      steadyUsers();
      prometheus =
          Prometheus.start(
              folder.resolve("prometheus"),
              probes.stream().map(port -> "127.0.0.1:" + port).toList());
      open.add(prometheus);
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  private void steadyUsers() throws InterruptedException {
    AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(brokers.bootstrapServers()).build();
    open.add(client);
    client.awaitRules(Duration.ofSeconds(30));
    users.scheduleAtFixedRate(
        () -> {
          long tick = System.nanoTime() / 20_000_000L;
          client.decide(Request.of("user", "u" + tick % 16));
          client.decide(Request.of("user", "v" + tick % 5));
        },
        0,
        20,
        TimeUnit.MILLISECONDS);
  }

  private ChildJvm launch(int index) throws IOException {
    ChildJvm jvm =
        EnforcerJvm.launch(
            folder.resolve(name(index)),
            brokers.bootstrapServers(),
            "http.port=" + ports.get(index),
            "http.probe.port=" + probes.get(index),
            "http.api.tokens.file=" + folder.resolve("tokens"));
    open.add(jvm);
    processes.set(index, jvm);
    return jvm;
  }

  static String name(int index) {
    return index == 0 ? "A" : "B";
  }

  /** Names enforcers as people do here, whatever address of theirs a text has. */
  String named(String text) {
    String named = text;
    for (int i = 0; i < ENFORCERS; i++) {
      for (int port : List.of(ports.get(i), probes.get(i))) {
        named = named.replaceAll("(http://)?(127\\.0\\.0\\.1|localhost):" + port + "\\b", name(i));
      }
    }
    return named;
  }

  String address(int index) {
    return "127.0.0.1:" + ports.get(index);
  }

  String probe(int index) {
    return "127.0.0.1:" + probes.get(index);
  }

  EnforcerJvm enforcer(int index) {
    return enforcers.get(index);
  }

  /** The process of an enforcer that was started last. */
  ChildJvm process(int index) {
    return processes.get(index);
  }

  List<ChildJvm> brokers() {
    return IntStream.range(0, BrokerJvms.BROKERS).mapToObj(brokers::broker).toList();
  }

  Prometheus prometheus() {
    return prometheus;
  }

  /** Starts an enforcer that has ended, and returns when it listens. */
  void startAgain(int index) throws IOException {
    enforcers.set(index, EnforcerJvm.of(launch(index)));
  }

  /** All at once, since none listens before most of them are there. */
  void startBrokersAgain() {
    CompletableFuture.allOf(
            IntStream.range(0, BrokerJvms.BROKERS)
                .mapToObj(i -> CompletableFuture.runAsync(() -> restartBroker(i)))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  private void restartBroker(int index) {
    try {
      brokers.restart(index);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isWhole() throws InterruptedException {
    try {
      return enforcers.get(0).isReady()
          && enforcers.get(1).isReady()
          && prometheus.query("sum(quota_partitions{phase=\"granting\"}) == 8").size() == 1
          && prometheus.query("count(up == 1) == 2").size() == 1;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws Exception {
    users.shutdownNow();
    open.close();
  }
}
