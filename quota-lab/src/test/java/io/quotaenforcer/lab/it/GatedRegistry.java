package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An Apicurio registry in a process of its own, and a gate in front of it: those who go through the
 * gate find nobody there while it is shut, and those who do not still do.
 */
final class GatedRegistry implements AutoCloseable {
  /** Where the build unpacks it for the tests of the schemas. */
  private static final Path HOME = Path.of("..", "schemas", "target", "registry");

  private static final String API = "/apis/ccompat/v7";
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

  private final Process process;
  private final int port;
  private final int gatePort;
  private final Set<Socket> through = ConcurrentHashMap.newKeySet();
  private volatile @Nullable ServerSocket gate;

  private GatedRegistry(Process process, int port) throws IOException {
    this.process = process;
    this.port = port;
    ServerSocket first = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    gatePort = first.getLocalPort();
    listen(first);
  }

  static GatedRegistry start(Path folder) throws IOException {
    Optional<Path> runner = runner();
    assumeThat(runner).as("a registry in %s, which the whole build unpacks", HOME).isPresent();
    int port = freePort();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-jar",
                runner.orElseThrow().toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("registry.log").toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    GatedRegistry registry = new GatedRegistry(process, port);
    await("registry to start")
        .atMost(START_TIMEOUT)
        .failFast("registry ended", () -> !process.isAlive())
        .ignoreExceptions()
        .until(() -> isThere(registry.url()));
    return registry;
  }

  /** Past the gate. */
  String url() {
    return "http://127.0.0.1:" + port + API;
  }

  String gatedUrl() {
    return "http://127.0.0.1:" + gatePort + API;
  }

  void shut() throws IOException {
    ServerSocket open = gate;
    gate = null;
    if (open != null) {
      open.close();
    }
    for (Socket socket : through) {
      socket.close();
    }
  }

  void open() throws IOException {
    listen(new ServerSocket(gatePort, 50, InetAddress.getLoopbackAddress()));
  }

  private void listen(ServerSocket socket) {
    gate = socket;
    daemon(
        () -> {
          while (!socket.isClosed()) {
            Socket from = socket.accept();
            Socket to = new Socket(InetAddress.getLoopbackAddress(), port);
            through.add(from);
            through.add(to);
            daemon(() -> copy(from, to));
            daemon(() -> copy(to, from));
          }
        });
  }

  private void copy(Socket from, Socket to) throws IOException {
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } finally {
      through.remove(from);
      through.remove(to);
    }
  }

  private interface Forwarding {
    void run() throws IOException;
  }

  private static void daemon(Forwarding forwarding) {
    Thread thread =
        new Thread(
            () -> {
              try {
                forwarding.run();
              } catch (IOException e) {
                // The gate was shut, or one side has gone.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static boolean isThere(String url) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/subjects"))
            .timeout(Duration.ofSeconds(2))
            .build();
    return HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString())
            .statusCode()
        == 200;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Optional<Path> runner() throws IOException {
    if (!Files.isDirectory(HOME)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(HOME)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith("-runner.jar"))
          .findFirst();
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    shut();
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
