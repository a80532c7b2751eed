package io.quotaenforcer.lab.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.enforcer.Main;
import java.io.IOException;
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

/** An enforcer in a process of its own, with its HTTP server on a free port. */
public final class EnforcerJvm implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(90);

  private final HttpClient http =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
  private final ChildJvm jvm;
  private final String address;

  private EnforcerJvm(ChildJvm jvm, String address) {
    this.jvm = jvm;
    this.address = address;
  }

  /**
   * Starts it, and returns while it may still wait for its partitions.
   *
   * @param folder of its state, which is kept when it is killed
   * @param settings lines of its settings, beside those that it needs
   */
  public static EnforcerJvm start(Path folder, String bootstrapServers, String... settings)
      throws IOException {
    ChildJvm jvm = launch(folder, bootstrapServers, "http.port=0", String.join("\n", settings));
    try {
      return of(jvm);
    } catch (Throwable e) {
      jvm.close();
      throw e;
    }
  }

  /**
   * Starts some at once, and returns when all are ready.
   *
   * @param folder gets a folder for each, by its name
   */
  public static List<EnforcerJvm> startAll(
      Path folder, List<String> names, String bootstrapServers, String... settings)
      throws IOException {
    List<ChildJvm> launched = new ArrayList<>();
    try {
      for (String name : names) {
        launched.add(
            launch(
                folder.resolve(name),
                bootstrapServers,
                "http.port=0",
                String.join("\n", settings)));
      }
      List<EnforcerJvm> enforcers = launched.stream().map(EnforcerJvm::of).toList();
      enforcers.forEach(EnforcerJvm::awaitReady);
      return enforcers;
    } catch (Throwable e) {
      launched.forEach(ChildJvm::close);
      throw e;
    }
  }

  /** One that was {@linkplain #launch launched}, when it has started. */
  public static EnforcerJvm of(ChildJvm jvm) {
    String rest = jvm.awaitLine("enforcing; http://", START_TIMEOUT);
    return new EnforcerJvm(jvm, rest.substring(0, rest.indexOf('/')));
  }

  /** Starts it with settings of one's own, and does not wait for anything. */
  public static ChildJvm launch(Path folder, String bootstrapServers, String... settings)
      throws IOException {
    return launch(folder, List.of(), bootstrapServers, settings);
  }

  /**
   * The same with flags for its JVM.
   *
   * @param flags such as {@code -Dname=value}
   */
  public static ChildJvm launch(
      Path folder, List<String> flags, String bootstrapServers, String... settings)
      throws IOException {
    Path config = Files.createDirectories(folder).resolve("enforcer.properties");
    Files.writeString(
        config,
        "bootstrap.servers=%s\nstate.dir=%s\n%s\n"
            .formatted(bootstrapServers, folder.resolve("state"), String.join("\n", settings)));
    return ChildJvm.start(
        "enforcer", flags, folder.resolve("tmp"), Main.class, "--config", config.toString());
  }

  public String address() {
    return address;
  }

  public ChildJvm jvm() {
    return jvm;
  }

  public void awaitReady() {
    Wait.until("enforcer to be ready", START_TIMEOUT, this::isReady);
  }

  public boolean isReady() throws IOException, InterruptedException {
    return get("/health/ready").statusCode() == 200;
  }

  /** Whether it counts a quota key of one attribute itself, which no other does then. */
  public boolean counts(QuotaKey key, String attribute) throws IOException, InterruptedException {
    HttpResponse<String> response = usage(key, attribute);
    return response.statusCode() == 200 && response.uri().getAuthority().equals(address);
  }

  /** Permits counted for a quota key of one attribute, over its last 100 windows. */
  public long used(QuotaKey key, String attribute) throws IOException, InterruptedException {
    return usedByWindow(key, attribute).values().stream().mapToLong(Long::longValue).sum();
  }

  /** The same by the start of the window. */
  public Map<String, Long> usedByWindow(QuotaKey key, String attribute)
      throws IOException, InterruptedException {
    HttpResponse<String> response = usage(key, attribute);
    if (response.statusCode() == 404) {
      return Map.of();
    }
    if (response.statusCode() != 200) {
      throw new IOException(response.statusCode() + " " + response.body());
    }
    Map<String, Long> used = new HashMap<>();
    for (JsonNode window : new ObjectMapper().readTree(response.body()).path("windows")) {
      used.put(window.path("start").asText(), window.path("used").asLong());
    }
    return used;
  }

  private HttpResponse<String> usage(QuotaKey key, String attribute)
      throws IOException, InterruptedException {
    return get(
        "/usage/%s/%s?%s=%s"
            .formatted(key.rule().domain(), key.rule().id(), attribute, key.values().get(0)));
  }

  public HttpResponse<String> get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + path))
            .timeout(Duration.ofSeconds(20))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Sends SIGTERM, and waits until it has ended. */
  public void terminate() throws IOException, InterruptedException {
    jvm.signal("TERM");
    jvm.exitCode(STOP_TIMEOUT);
  }

  /** Kills it with SIGKILL. */
  @Override
  public void close() {
    jvm.close();
  }
}
