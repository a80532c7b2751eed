package io.quotaenforcer.lab.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.lab.process.Wait;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** Debian's Prometheus, which scrapes enforcers and evaluates the alerts of {@code ops}. */
final class Prometheus implements AutoCloseable {
  /** Between two scrapes, and between two evaluations of the alerts. */
  static final Duration EVERY = Duration.ofSeconds(5);

  private static final Path PROGRAM = Path.of("/usr/bin/prometheus");
  private static final Path ALERTS =
      Path.of("").toAbsolutePath().getParent().resolve("ops/prometheus/alerts.yml");

  private final HttpClient http = HttpClient.newHttpClient();
  private final String address;
  private final Process process;

  private Prometheus(String address, Process process) {
    this.address = address;
    this.process = process;
  }

  /** Skips the test where there is none, which fails it where it must be there. */
  static void require() {
    boolean isThere = Files.isExecutable(PROGRAM);
    String missing = "skipped: needs Debian's prometheus";
    if ("true".equals(System.getenv("CI")) && !isThere) {
      Assertions.fail(missing);
    }
    Assumptions.assumeTrue(isThere, missing);
  }

  /**
   * Starts it.
   *
   * @param targets host:port of what it scrapes
   */
  static Prometheus start(Path folder, List<String> targets) throws IOException {
    Path config = Files.createDirectories(folder).resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        global: {scrape_interval: %1$ds, scrape_timeout: 2s, evaluation_interval: %1$ds}
        rule_files: ['%2$s']
        scrape_configs:
          - job_name: quota
            static_configs: [{targets: [%3$s]}]
        """
            .formatted(
                EVERY.toSeconds(),
                ALERTS,
                targets.stream().map("'%s'"::formatted).collect(Collectors.joining(", "))));
    String address = "127.0.0.1:" + BadInputIT.freePort();
    Process process =
        new ProcessBuilder(
                PROGRAM.toString(),
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=" + address)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    // In case the test is told to stop.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    Prometheus prometheus = new Prometheus(address, process);
    Wait.until(
        "Prometheus to scrape",
        Duration.ofSeconds(60),
        () -> prometheus.query("quota_ready == 1").size() == targets.size());
    return prometheus;
  }

  /** The series of an expression, now. */
  JsonNode query(String expression) throws IOException, InterruptedException {
    return data("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
        .path("result");
  }

  /** Alerts that are pending or fire. */
  JsonNode alerts() throws IOException, InterruptedException {
    return data("/api/v1/alerts").path("alerts");
  }

  private JsonNode data(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + path))
            .timeout(Duration.ofSeconds(5))
            .build();
    return new ObjectMapper()
        .readTree(http.send(request, BodyHandlers.ofString()).body())
        .path("data");
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }
}
