package io.quotaenforcer.proxies;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.lab.process.Wait;
import io.quotaenforcer.testkit.HttpLoad;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients of the real nginx and Caddy get the right answers: two gateways behind, each a process,
 * and Kafka.
 */
@Timeout(540)
class ProxiesIT {
  private static final List<String> HEADERS =
      List.of(
          "RateLimit-Policy",
          "RateLimit",
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset");

  @TempDir static Path folder;

  private static Edge edge;

  private final HttpLoad load = new HttpLoad();
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    edge = Edge.start(folder);
  }

  /** A test that fails must not make others fail. */
  @AfterEach
  void revive() throws IOException {
    edge.revive();
  }

  @AfterAll
  static void stop() throws Exception {
    edge.close();
  }

  @ParameterizedTest
  @EnumSource(Proxy.class)
  void strictLimit_overTwoGateways_isExact_andRefusedAs429WithAllHeaders(Proxy proxy) {
    String path = "/download/" + proxy.id();

    assertThat(load.get(List.of(edge.port(proxy)), path, 800, 16))
        .isEqualTo(Map.of(200, 500, 429, 300));

    HttpResponse<String> refused = load.get(edge.port(proxy), path);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().map()).containsKeys(lower(HEADERS)).containsKey("retry-after");
    assertThat(refused.headers().firstValue("RateLimit"))
        .get()
        .asString()
        .startsWith("\"downloads\";r=0");
    assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(refused.body()).contains("\"status\":429").contains("#quota-exceeded");
    assertThat(load.get(edge.port(proxy), "/page").headers().map()).containsKeys(lower(HEADERS));
  }

  private static String[] lower(List<String> names) {
    return names.stream()
        .map(name -> name.toLowerCase(java.util.Locale.ROOT))
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @EnumSource(Proxy.class)
  void clientThatForges_getsNoMore(Proxy proxy) {
    int admitted = 0;
    for (int i = 0; i < 40; i++) {
      String path = List.of("/login/", "/%6Cogin/", "//login//", "/x/../login/").get(i % 4);
      HttpResponse<String> answer =
          load.get(
              edge.port(proxy),
              path + proxy.id() + "?" + i,
              "X-Forwarded-For",
              "192.0.2." + i,
              "Forwarded",
              "for=192.0.2." + i,
              "X-Original-URI",
              "/free/" + i,
              "X-Original-Method",
              "OPTIONS",
              "X-Forwarded-Uri",
              "/free/" + i,
              "X-Forwarded-Method",
              "OPTIONS",
              "X-Quota-Status",
              "200",
              "X-Real-IP",
              "192.0.2." + i);
      // 400 is the service's own answer to some of these paths.
      assertThat(answer.statusCode()).isIn(200, 400, 429);
      admitted += answer.statusCode() == 429 ? 0 : 1;
    }
    assertThat(admitted).isEqualTo(10);
    assertThat(load.get(edge.port(proxy), "/-/quota").body()).doesNotContain("admitted");
    assertThat(load.get(edge.port(Proxy.NGINX), "/-/quota").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @EnumSource(Proxy.class)
  void clientThatBreaksTheCheck_isNotPassedUnchecked(Proxy proxy) throws IOException {
    String junk = ("X-Junk: " + "j".repeat(4_000) + "\r\n").repeat(9);
    for (String header :
        List.of(
            "X-Api-Key: a\u0001b\r\n",
            "X-Api-Key: " + "a".repeat(7_000) + "\r\n",
            "Connection: Upgrade\r\nUpgrade: websocket\r\n",
            junk)) {
      String answer =
          Net.raw(
              edge.port(proxy),
              "GET /order HTTP/1.1\r\nHost: shop\r\n" + header + "Connection: close\r\n\r\n");
      assertThat(answer)
          .as("answer to %.60s", header)
          .startsWith("HTTP/1.1 ")
          .doesNotContain("X-Quota-Unchecked");
    }
  }

  @ParameterizedTest
  @EnumSource(Proxy.class)
  void answersOfTheServiceItself_stay_andBodiesPass(Proxy proxy) throws Exception {
    for (int status : new int[] {200, 401, 403, 404, 429, 500, 502, 503}) {
      HttpResponse<String> answer = load.get(edge.port(proxy), "/status/" + status);
      assertThat(answer.statusCode()).isEqualTo(status);
      assertThat(answer.body()).isEqualTo("GET 0 bytes, from 127.0.0.1");
    }
    assertThat(post(proxy, 100_000).body()).isEqualTo("POST 100000 bytes, from 127.0.0.1");
  }

  private HttpResponse<String> post(Proxy proxy, int bytes) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edge.port(proxy) + "/page"))
            .version(HttpClient.Version.HTTP_1_1)
            .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[bytes]))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void kafkaAway_twentySeconds_noRequestFails_andRulesDecideAsTheySay() throws Exception {
    try (SteadyLoad clients = steady("/order", "/page", "/read")) {
      awaitAdmitted(clients);
      SteadyLoad.Seen before = clients.during(Duration.ofSeconds(3));
      say("before", before);
      assertThat(before.without("/order 200", "/page 200", "/read 200")).isEmpty();
      edge.site().killKafka();
      SteadyLoad.Seen away = clients.during(Duration.ofSeconds(20));
      say("Kafka away for 20 s", away);
      edge.site().startKafka();
      long back = System.nanoTime();
      awaitAdmitted(clients);
      // Of which the last seconds are those in which all was admitted.
      System.out.printf("healed within %.1f s%n", (System.nanoTime() - back) / 1e9 - 6.2);
      SteadyLoad.Seen after = clients.during(Duration.ofSeconds(3));
      say("Kafka back", after);

      assertThat(away.without("/order 200", "/order 429", "/page 200", "/page 429", "/read 200"))
          .isEmpty();
      assertThat(after.without("/order 200", "/page 200", "/read 200")).isEmpty();
    }
  }

  @Test
  void gatewayKilled_andEnded_andBack_noRequestFails() throws Exception {
    GatewayJvm one = edge.gateways().get(0);
    try (SteadyLoad clients = steady("/order", "/page")) {
      awaitAdmitted(clients);
      say("before", clients.during(Duration.ofSeconds(1)));
      one.kill();
      SteadyLoad.Seen killed = clients.during(Duration.ofSeconds(4));
      say("one gateway killed with SIGKILL", killed);
      one.restart();
      one.awaitReady();
      SteadyLoad.Seen back = clients.take();
      say("it starts again", back);
      SteadyLoad.Seen both = clients.during(Duration.ofSeconds(2));
      assertThat(one.end("TERM")).isNotEqualTo(137);
      SteadyLoad.Seen ended = clients.during(Duration.ofSeconds(2));
      say("one gateway ended with SIGTERM", ended);
      one.restart();
      one.awaitReady();
      SteadyLoad.Seen again = clients.during(Duration.ofSeconds(2));

      for (SteadyLoad.Seen seen : List.of(killed, back, both, ended, again)) {
        assertThat(seen.without("/order 200", "/page 200")).isEmpty();
      }
    }
  }

  @Test
  void bothGatewaysDead_requestsPassUnchecked_untilTheyAreBack() throws Exception {
    edge.gateways().forEach(GatewayJvm::kill);
    try (SteadyLoad clients = steady("/order")) {
      SteadyLoad.Seen dead = clients.during(Duration.ofSeconds(3));
      say("both gateways dead", dead);
      assertThat(dead.without("/order 200 unchecked")).isEmpty();
      for (Proxy proxy : Proxy.values()) {
        assertThat(post(proxy, 100_000).body()).isEqualTo("POST 100000 bytes, from 127.0.0.1");
        assertThat(load.get(edge.port(proxy), "/status/403").statusCode()).isEqualTo(403);
      }
      for (GatewayJvm gateway : edge.gateways()) {
        gateway.restart();
      }
      edge.gateways().forEach(GatewayJvm::awaitReady);
      awaitAdmitted(clients);
      edge.awaitCounting();
    }
  }

  /** Returns once all was admitted for longer than a request may wait. */
  private static void awaitAdmitted(SteadyLoad clients) {
    Wait.until(
        "all to be admitted",
        Edge.HEALED,
        () -> {
          SteadyLoad.Seen seen = clients.during(Duration.ofMillis(6_200));
          return seen.of("/order 200") > 0
              && seen.without("/order 200", "/page 200", "/read 200").isEmpty();
        });
  }

  private static SteadyLoad steady(String... paths) {
    List<String> targets = new ArrayList<>();
    for (int port : edge.ports()) {
      for (String path : paths) {
        targets.add(port + path);
      }
    }
    return SteadyLoad.start(targets, 2);
  }

  private static void say(String what, SteadyLoad.Seen seen) {
    System.out.println("clients of nginx and Caddy, " + what + ": " + seen);
  }
}
