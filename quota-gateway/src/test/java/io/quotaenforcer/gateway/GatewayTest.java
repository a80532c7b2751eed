package io.quotaenforcer.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.server.HttpException;
import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A gateway that decides alone, over real connections. */
@Timeout(60)
class GatewayTest {
  private static final String TOKEN = "0123456789abcdef";

  @TempDir private Path folder;
  private final Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(20));
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    lifecycle.close();
  }

  @Test
  void nginx_isToldForbidden_withTheRulesStatusAndHeaders() throws Exception {
    Gateway gateway = start(Map.of());
    for (int i = 0; i < 3; i++) {
      assertThat(check(gateway, "nginx", "original", "/a").statusCode()).isEqualTo(200);
    }

    HttpResponse<String> refused = check(gateway, "nginx", "original", "//x/../%61/?b=c");

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.headers().firstValue("x-quota-status")).contains("429");
    assertThat(refused.headers().firstValue("retry-after")).isPresent();
    assertThat(refused.headers().firstValue("ratelimit")).isPresent();
    assertThat(refused.body()).contains("quota-exceeded");
    assertThat(check(gateway, "nginx", "original", "/other").statusCode()).isEqualTo(200);
  }

  @Test
  void forwardAuth_isToldTheRulesStatus() throws Exception {
    Gateway gateway = start(Map.of());
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> admitted = check(gateway, "forward-auth", "forwarded", "/a");
      assertThat(admitted.statusCode()).isEqualTo(200);
      assertThat(admitted.headers().firstValue("ratelimit")).isPresent();
    }

    assertThat(check(gateway, "forward-auth", "forwarded", "/a").statusCode()).isEqualTo(429);
  }

  @ParameterizedTest
  @CsvSource({
    "nginx,forwarded,/a",
    "forward-auth,original,/a",
    "nginx,original,a",
    "nginx,original,''"
  })
  void proxy_thatSaysNothingOfTheRequest_isToldWhatToSend(String of, String header, String uri)
      throws Exception {
    HttpResponse<String> answer = check(start(Map.of()), of, header, uri);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("must say what it asks about, in headers x-");
  }

  @Test
  void program_isAnsweredByItsAttributes() throws Exception {
    Gateway gateway = start(Map.of());
    String body = "{\"attributes\": {\"path\": \"/a\", \"ip\": \"192.0.2.1\"}, \"cost\": 3}";

    assertThat(decide(gateway, body).body()).isEqualTo("{\"admitted\":true}");
    assertThat(decide(gateway, body).statusCode()).isEqualTo(429);
    assertThat(decide(gateway, "{}").statusCode()).isEqualTo(400);
    assertThat(decide(gateway, "x".repeat(300_000)).statusCode()).isEqualTo(413);
    assertThat(get(gateway.port(), "/decide").statusCode()).isEqualTo(405);
    assertThat(get(gateway.port(), "/").statusCode()).isEqualTo(404);
  }

  @Test
  void whoHasNoToken_isRefused() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), TOKEN);
    Gateway gateway = start(Map.of("http.token.file", token));
    String body = "{\"attributes\": {}}";

    HttpResponse<String> refused = decide(gateway, body);

    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.body()).contains("Authorization: Bearer TOKEN");
    assertThat(decide(gateway, body, "Authorization", "Bearer " + TOKEN).statusCode())
        .isEqualTo(200);
    assertThat(check(gateway, "nginx", "original", "/a").statusCode()).isEqualTo(401);
    assertThat(get(gateway.probePort(), "/health/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void gateway_thatEnds_wantsNoMoreRequests_andAnswersThoseThatCome() throws Exception {
    Gateway gateway = start(Map.of("drain", "2s"));
    int probePort = gateway.probePort();
    assertThat(get(probePort, "/health/ready").statusCode()).isEqualTo(200);

    Thread end = new Thread(lifecycle::close);
    end.start();

    while (get(probePort, "/health/ready").statusCode() == 200) {
      Thread.onSpinWait();
    }
    assertThat(check(gateway, "nginx", "original", "/a").statusCode()).isEqualTo(200);
    end.join();
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), probePort).close())
        .isInstanceOf(ConnectException.class);
  }

  @Test
  void metrics_countRequestsAndDecisions() throws Exception {
    Gateway gateway = start(Map.of());
    check(gateway, "nginx", "original", "/a");

    String metrics = get(gateway.probePort(), "/metrics").body();

    assertThat(metrics)
        .contains("quota_gateway_requests_total")
        .containsPattern(
            "rate_limiting_requests_total\\{class=\"\",policy=\"edge/paths\",result=\"admitted\"");
  }

  @Test
  void port_thatIsTaken_isSaidWithItsSetting() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      for (String port : new String[] {"http.port", "grpc.port", "http.probe.port"}) {
        assertThatThrownBy(() -> start(Map.of(port, taken.getLocalPort())))
            .isInstanceOf(HttpException.class)
            .hasMessageContaining("another program uses it")
            .hasMessageContaining(port);
      }
    }
  }

  @Test
  void file_thatIsWrong_isSaidWithItsPlace() throws IOException {
    Path mapping = Files.writeString(folder.resolve("mapping.yaml"), "attributes: {a: '{b}'}");

    assertThatThrownBy(() -> start(Map.of("mapping.file", mapping)))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("mapping.yaml:1:17");
    assertThatThrownBy(() -> start(Map.of("rules.file", folder.resolve("none"))))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("there is no such file");
    assertThatThrownBy(() -> start(Map.of("tls.certificate.file", mapping, "tls.key.file", folder)))
        .isInstanceOf(HttpException.class)
        .hasMessageContaining("tls.key.file");
  }

  private Gateway start(Map<String, Object> settings) throws IOException {
    Path rules =
        Files.writeString(
            folder.resolve("rules.yaml"),
            """
            domain: edge
            rules:
              - id: paths
                key: [path, ip]
                limit: {permits: 3, per: 30d, algorithm: fixed-window}
            """);
    Map<String, Object> all =
        new HashMap<>(
            Map.of("rules.file", rules, "http.port", 0, "grpc.port", 0, "http.probe.port", 0));
    all.putAll(settings);
    return Gateway.start(GatewayConfig.of(all), lifecycle);
  }

  private HttpResponse<String> check(Gateway gateway, String of, String header, String uri)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(gateway.port(), "/check/" + of))
            .header("X-" + header + "-Method", "GET")
            .header("X-" + header + "-Uri", uri)
            .header("X-Forwarded-For", "6.6.6.6, 192.0.2.1");
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> decide(Gateway gateway, String body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(gateway.port(), "/decide"))
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> get(int port, String path) throws Exception {
    return client.send(HttpRequest.newBuilder(uri(port, path)).build(), BodyHandlers.ofString());
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
