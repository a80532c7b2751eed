package io.quotaenforcer.proxies;

import io.quotaenforcer.lab.command.Main;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.Wait;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** {@code quota gateway} in a process, which can be ended and started again on the same port. */
final class GatewayJvm implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String READY_AT = "; http://127.0.0.1:";

  private final String name;
  private final Path folder;
  private final Path config;
  private final List<String> flags;
  private ChildJvm jvm;

  private GatewayJvm(String name, Path folder, Path config, List<String> flags) throws IOException {
    this.name = name;
    this.folder = folder;
    this.config = config;
    this.flags = flags;
    this.jvm = launch();
  }

  /**
   * Starts it with settings of its own, and returns when it knows the rules.
   *
   * @param source such as {@code rules.file=…}
   */
  static GatewayJvm start(String name, Path folder, int port, List<String> flags, String... source)
      throws IOException {
    Files.createDirectories(folder);
    Path config =
        Files.writeString(
            folder.resolve("gateway.properties"),
            """
            http.port=%d
            http.probe.port=0
            grpc.port=0
            mapping.file=gateway-mapping.yaml
            %s
            """
                .formatted(port, String.join("\n", source)));
    GatewayJvm gateway = new GatewayJvm(name, folder, config, flags);
    try {
      gateway.awaitReady();
      return gateway;
    } catch (RuntimeException e) {
      gateway.close();
      throw e;
    }
  }

  private ChildJvm launch() throws IOException {
    return ChildJvm.start(
        name, flags, folder.resolve("tmp"), Main.class, "gateway", "--config", config.toString());
  }

  /** Starts it again, and returns at once. */
  void restart() throws IOException {
    jvm.close();
    jvm = launch();
  }

  void awaitReady() {
    HttpClient client = HttpClient.newHttpClient();
    String line = jvm.awaitLine("checking at ", TIMEOUT);
    int from = line.indexOf(READY_AT) + READY_AT.length();
    URI ready =
        URI.create(
            "http://127.0.0.1:" + line.substring(from, line.indexOf('/', from)) + "/health/ready");
    Wait.until(
        name + " to be ready",
        TIMEOUT,
        () ->
            client
                    .send(
                        HttpRequest.newBuilder(ready).build(),
                        HttpResponse.BodyHandlers.discarding())
                    .statusCode()
                == 200);
  }

  /** Kills it with SIGKILL. */
  void kill() {
    jvm.close();
  }

  /** Sends a signal, and returns its exit code. */
  int end(String signal) throws IOException, InterruptedException {
    jvm.signal(signal);
    return jvm.exitCode(TIMEOUT);
  }

  boolean isAlive() {
    return jvm.isAlive();
  }

  @Override
  public String toString() {
    return jvm.toString();
  }

  @Override
  public void close() {
    jvm.close();
  }
}
