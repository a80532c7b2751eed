package io.quotaenforcer.bench.entitlements;

import io.quotaenforcer.bench.process.EnforcerChild;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.cli.MoreCommands;
import io.quotaenforcer.cli.Quota;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** A broker with many entitlements, and the starts of enforcers that follow them. */
final class EntitlementsRun implements AutoCloseable {
  static final int HEAP_MEBIBYTES = 256;
  static final int ROCKSDB_MEBIBYTES = 64;
  private static final int PARTITIONS = 16;
  private static final String TOPIC = "quota.entitlements";
  private static final String GROUP = "quota-enforcer";
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MEBIBYTE = 1 << 20;
  private static final String RULES =
      """
      domain: api
      rules:
        - id: per-tenant
          key: [tenant]
          limit: {permits: 100, per: 1m}
          enforcement: strict
          limits-from: entitlements
          plans: {gold: {permits: 1000}}
      """;

  private final TemporaryFolder folder = TemporaryFolder.create("quota-bench-entitlements-");
  private final EmbeddedBroker broker = EmbeddedBroker.start();
  private final Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  private final HttpClient http = HttpClient.newHttpClient();
  private final int keys;

  EntitlementsRun(int keys) {
    this.keys = keys;
  }

  double importSeconds() throws IOException {
    Path rules = Files.writeString(folder.path().resolve("rules.yaml"), RULES);
    Path file = folder.path().resolve("tenants.csv");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("tenant,plan,permits\n");
      for (int i = 0; i < keys; i++) {
        out.write(
            i % 2 == 0 ? "tenant-%08d,gold,%n".formatted(i) : "tenant-%08d,,%d%n".formatted(i, i));
      }
    }
    command("topics", "create", "--partitions=" + PARTITIONS);
    command("rules", "apply", rules.toString());
    long start = System.nanoTime();
    command("entitlements", "import", "--rule=api/per-tenant", file.toString());
    return seconds(start);
  }

  private void command(String... arguments) {
    StringWriter err = new StringWriter();
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--bootstrap-server=" + broker.bootstrapServers());
    int exit =
        Quota.create(
                new PrintWriter(new StringWriter()),
                new PrintWriter(err, true),
                Map.of("QUOTA_CONNECT_TIMEOUT", "60s"),
                MoreCommands.NONE)
            .execute(all.toArray(String[]::new));
    if (exit != 0) {
      throw new IllegalStateException(String.join(" ", arguments) + ": " + err);
    }
  }

  /**
   * The first start, one with the stores of the first, and one without any.
   *
   * @param says what is being done
   */
  List<EntitlementsRow> enforcers(Consumer<String> says) throws Exception {
    List<EntitlementsRow> rows = new ArrayList<>();
    Path first = folder.path().resolve("first");
    for (String start : List.of("first start", "start with its stores", "start without stores")) {
      says.accept(start + " ...");
      boolean isFirst = rows.isEmpty();
      Path of = start.endsWith("without stores") ? folder.path().resolve("second") : first;
      long began = System.nanoTime();
      EnforcerChild.Limits limits =
          new EnforcerChild.Limits(HEAP_MEBIBYTES, ROCKSDB_MEBIBYTES, Duration.ofSeconds(2));
      try (EnforcerChild enforcer = EnforcerChild.start(of, broker.bootstrapServers(), limits)) {
        enforcer.jvm().await("the enforcer is ready", LONGEST, () -> isReady(enforcer));
        if (isFirst) {
          enforcer.jvm().await("the enforcer has read all", LONGEST, this::isAllRead);
        }
        rows.add(
            new EntitlementsRow(
                start, seconds(began), enforcer.jvm().peakMebibytes(), mebibytes(of)));
        stop(enforcer);
      }
    }
    return rows;
  }

  /** As operators do: a killed one would restore its stores at the next start. */
  private static void stop(EnforcerChild enforcer) throws Exception {
    Optional<ProcessHandle> process = ProcessHandle.of(enforcer.jvm().pid());
    if (process.isPresent() && process.get().destroy()) {
      process.get().onExit().get();
    }
  }

  private boolean isReady(EnforcerChild enforcer) throws Exception {
    Optional<String> address = enforcer.httpAddress();
    if (address.isEmpty()) {
      return false;
    }
    URI uri = URI.create("http://" + address.get() + "/health/ready");
    HttpResponse<Void> answer =
        http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding());
    return answer.statusCode() == 200;
  }

  private boolean isAllRead() throws Exception {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    for (int i = 0; i < PARTITIONS; i++) {
      latest.put(new TopicPartition(TOPIC, i), OffsetSpec.latest());
    }
    Map<TopicPartition, OffsetAndMetadata> read =
        admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata().get();
    return admin.listOffsets(latest).all().get().entrySet().stream()
        .allMatch(
            end ->
                end.getValue().offset() == 0
                    || read.containsKey(end.getKey())
                        && read.get(end.getKey()).offset() >= end.getValue().offset());
  }

  private static double mebibytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(Path::toFile).filter(it -> it.isFile()).mapToLong(it -> it.length()).sum()
          / BYTES_PER_MEBIBYTE;
    }
  }

  private static double seconds(long startNanos) {
    return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
  }

  @Override
  public void close() {
    admin.close();
    broker.close();
    folder.close();
  }
}
