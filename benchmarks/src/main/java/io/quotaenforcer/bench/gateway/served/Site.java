package io.quotaenforcer.bench.gateway.served;

import io.quotaenforcer.bench.process.LoggedJvm;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.lab.command.Main;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** All servers of a run; killed when it is closed. */
public final class Site implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(120);
  private static final int HEAP_MEBIBYTES = 512;
  private static final Supplier<Duration> NOTHING = () -> Duration.ZERO;

  private final TemporaryFolder folder = TemporaryFolder.create("quota-bench-gateway-");
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final Map<Kind, Server> servers = new EnumMap<>(Kind.class);

  private Site() {}

  /** Starts them, and returns when all are ready; without Redis there is none that counts in it. */
  public static Site start(Optional<RedisProgram> redis) throws Exception {
    Site site = new Site();
    try {
      site.startAll(redis);
      return site;
    } catch (Exception e) {
      site.close();
      throw e;
    }
  }

  private void startAll(Optional<RedisProgram> redis) throws Exception {
    Path rules = Limits.rules(folder.path());
    LoggedJvm cluster = jvm("cluster", ClusterMain.class, rules.toString());
    servers.put(Kind.UNDECIDED, plain("undecided", NOTHING));
    if (redis.isPresent()) {
      RedisServer server = RedisServer.start(redis.get(), folder.path().resolve("redis"));
      running.push(server);
      servers.put(
          Kind.REDIS, plain("redis", server::processorTime, Integer.toString(server.port())));
    }
    servers.put(Kind.ALONE, gateway("alone", "rules.file=" + rules, NOTHING));
    cluster.await("Kafka and its enforcer", START, () -> brokers(cluster).isPresent());
    servers.put(
        Kind.GATEWAY,
        gateway(
            "gateway",
            "bootstrap.servers=" + brokers(cluster).orElseThrow(),
            cluster::processorTime));
  }

  /** Those that run. */
  public Map<Kind, Server> servers() {
    return Map.copyOf(servers);
  }

  private Server plain(String name, Supplier<Duration> beside, String... arguments)
      throws Exception {
    LoggedJvm jvm = jvm(name, PlainMain.class, arguments);
    return new Server(await(jvm, name, Ports::ofPlain), jvm::processorTime, beside);
  }

  private Server gateway(String name, String source, Supplier<Duration> beside) throws Exception {
    Path config = folder.path().resolve(name + ".properties");
    Files.writeString(
        config,
        """
        %s
        mapping.file=%s
        http.port=0
        http.probe.port=0
        grpc.port=0
        """
            .formatted(source, Limits.mapping(folder.path())));
    LoggedJvm jvm = jvm(name, Main.class, "gateway", "--config", config.toString());
    Ports ports = await(jvm, name, Ports::ofGateway);
    HttpClient http = HttpClient.newHttpClient();
    HttpRequest ready =
        HttpRequest.newBuilder(URI.create(Ports.readiness(jvm.said()).orElseThrow())).build();
    jvm.await(
        "a gateway that is ready",
        START,
        () -> http.send(ready, BodyHandlers.discarding()).statusCode() == 200);
    return new Server(ports, jvm::processorTime, beside);
  }

  private static Ports await(LoggedJvm jvm, String name, Function<String, Optional<Ports>> ports)
      throws Exception {
    jvm.await("the ports of " + name, START, () -> ports.apply(jvm.said()).isPresent());
    return ports.apply(jvm.said()).orElseThrow();
  }

  private static Optional<String> brokers(LoggedJvm cluster) throws IOException {
    return cluster
        .said()
        .lines()
        .filter(line -> line.startsWith(ClusterMain.SAYS))
        .map(line -> line.substring(ClusterMain.SAYS.length()))
        .findFirst();
  }

  private LoggedJvm jvm(String name, Class<?> main, String... arguments) throws IOException {
    LoggedJvm jvm =
        LoggedJvm.start(
            name, folder.path().resolve(name + ".log"), main, HEAP_MEBIBYTES, arguments);
    running.push(jvm);
    return jvm;
  }

  @Override
  public void close() throws Exception {
    while (!running.isEmpty()) {
      running.pop().close();
    }
    folder.close();
  }
}
