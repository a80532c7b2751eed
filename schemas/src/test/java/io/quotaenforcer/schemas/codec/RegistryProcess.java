package io.quotaenforcer.schemas.codec;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** An Apicurio registry in a process of its own, on loopback, in memory. */
public final class RegistryProcess implements AutoCloseable {
  /** Where the build of this module unpacks it. */
  private static final Path HOME = Path.of("schemas", "target", "registry");

  private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final int port;

  private RegistryProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Whether there is one to start.
   *
   * @param root folder of the whole build
   */
  public static boolean isBuilt(Path root) throws IOException {
    return runner(root).isPresent();
  }

  /**
   * Starts it, and returns when it serves.
   *
   * @param root folder of the whole build
   * @param log a file
   */
  public static RegistryProcess start(Path root, Path log) throws IOException {
    int port = freePort();
    Path runner =
        runner(root).orElseThrow(() -> new IllegalStateException("must hold a registry: " + HOME));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-jar",
                runner.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    // In case the tests' own process is told to stop.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    RegistryProcess registry = new RegistryProcess(process, port);
    Awaitility.await("registry to start, see " + log)
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .failFast("registry ended, see " + log, () -> !process.isAlive())
        .ignoreExceptions()
        .until(() -> registry.request("GET", "/subjects", "").statusCode() == 200);
    return registry;
  }

  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** The address of its API in Confluent's form. */
  public String url() {
    return "http://127.0.0.1:" + port + "/apis/ccompat/v7";
  }

  public String host() {
    return "http://127.0.0.1:" + port;
  }

  /** Asks the API. */
  public HttpResponse<String> request(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .timeout(Duration.ofSeconds(10))
            .header("Content-Type", CONTENT_TYPE)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  private static Optional<Path> runner(Path root) throws IOException {
    Path home = root.resolve(HOME);
    if (!Files.isDirectory(home)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(home)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith("-runner.jar"))
          .findFirst();
    }
  }
}
