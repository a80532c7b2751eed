package io.quotaenforcer.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gateway whose Kafka is away when it starts. */
@Timeout(200)
class GatewayWithoutKafkaTest {
  private final Lifecycle lifecycle = Lifecycle.start(Duration.ofSeconds(20));

  @AfterEach
  void stop() {
    lifecycle.close();
  }

  @Test
  void gateway_toldToDenyWithoutRules_starts_refuses_andIsNotReady() throws Exception {
    try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Gateway gateway =
          Gateway.start(
              GatewayConfig.of(
                  Map.of(
                      "bootstrap.servers", "127.0.0.1:" + nobody.getLocalPort(),
                      "before.rules", "deny",
                      "http.port", 0,
                      "grpc.port", 0,
                      "http.probe.port", 0)),
              lifecycle);

      HttpResponse<String> refused = get(gateway.port(), "/check/nginx");

      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.headers().firstValue("x-quota-status")).contains("503");
      assertThat(get(gateway.probePort(), "/health/ready").statusCode()).isEqualTo(503);
      assertThat(get(gateway.probePort(), "/health/live").statusCode()).isEqualTo(200);
    }
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("X-Original-Method", "GET")
                .header("X-Original-Uri", "/a")
                .build(),
            BodyHandlers.ofString());
  }
}
