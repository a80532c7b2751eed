package io.quotaenforcer.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.samples.spring.ShopApplication;
import io.quotaenforcer.spring.process.SpringService;
import io.quotaenforcer.testkit.HttpLoad;
import io.quotaenforcer.testkit.Site;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The README's service on Tomcat, twice, each a process; Kafka is killed between. */
@Timeout(720)
class ShopIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: all, match: {path: /all}, key: [path], enforcement: strict,
           limit: {permits: 500, per: 30d, algorithm: fixed-window}}
        - {id: logins, match: {path: /login}, key: [ip, path], enforcement: strict,
           limit: {permits: 10, per: 30d, algorithm: fixed-window}}
        - {id: late, match: {path: /late}, key: [path], enforcement: strict,
           limit: {permits: 1000000, per: 30d, algorithm: fixed-window}}
        - {id: reads, match: {path: /read}, key: [path], on-unavailable: allow,
           limit: {permits: 1000000, per: 1d}}
      """;

  @TempDir Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final HttpLoad load = new HttpLoad();

  @AfterEach
  void stopAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Test
  void twoServices_admitExactlyTheLimit_andOutliveKafka() throws Exception {
    Site site = Site.start(Files.createDirectories(folder.resolve("site")), RULES);
    open.add(site);
    List<Integer> ports = List.of(service(site, "one"), service(site, "two"));
    for (int port : ports) {
      HttpResponse<String> health = load.get(port, "/actuator/health/quota");
      assertThat(health.statusCode()).as(health.body()).isEqualTo(200);
      assertThat(health.body()).contains("\"status\":\"UP\"", "\"rules\":4", "\"keys\":");
    }

    assertThat(load.get(ports, "/all", 400, 16)).isEqualTo(Map.of(200, 500, 429, 300));

    HttpResponse<String> refusal = load.get(ports.get(0), "/all");
    assertThat(refusal.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
    assertThat(refusal.body()).contains("#quota-exceeded", "\"status\":429", "[\"all\"]");
    assertThat(refusal.headers().firstValue("Retry-After")).isPresent();

    for (String path : List.of("/login", "/%6Cogin", "//login", "/x/../login", "/login;a=b")) {
      for (int port : ports) {
        load.get(port, path, "X-Forwarded-For", "1.2.3." + port % 250);
      }
    }
    assertThat(load.get(ports, "/login", 5, 2)).as("all ten are spent").isEqualTo(Map.of(429, 10));

    site.killKafka();
    long begun = System.nanoTime();
    Map<Integer, Integer> reads = load.get(ports, "/read", 100, 8);
    Map<Integer, Integer> strict = load.get(ports, "/late", 50, 8);
    System.out.printf(
        "Kafka away: reads %s, strict %s, in %.1f s%n",
        reads, strict, (System.nanoTime() - begun) / 1e9);
    assertThat(reads).isEqualTo(Map.of(200, 200));
    assertThat(strict.keySet()).isSubsetOf(200, 429);

    site.startKafka();
    long back = System.nanoTime();
    for (int port : ports) {
      try {
        await().atMost(TIMEOUT).until(() -> load.get(port, "/late").statusCode() == 200);
      } catch (ConditionTimeoutException e) {
        throw new AssertionError("not healed: " + site, e);
      }
    }
    System.out.printf("healed %.1f s after Kafka was back%n", (System.nanoTime() - back) / 1e9);
    // A machine that stands still makes a few wait for longer than they may.
    await("healed")
        .atMost(TIMEOUT)
        .untilAsserted(
            () -> assertThat(load.get(ports, "/late", 100, 8)).isEqualTo(Map.of(200, 200)));
  }

  private int service(Site site, String name) throws IOException {
    SpringService service =
        SpringService.onTomcat(
            folder.resolve(name),
            ShopApplication.class,
            "--spring.config.location=classpath:/shop/application.yaml",
            "--KAFKA=" + site.bootstrapServers(),
            "--quota.await-rules=30s",
            "--management.endpoint.health.show-details=always");
    open.add(service);
    return service.port();
  }
}
