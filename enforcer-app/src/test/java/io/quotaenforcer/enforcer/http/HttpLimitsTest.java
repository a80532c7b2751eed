package io.quotaenforcer.enforcer.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.enforcer.config.HttpConfig;
import io.quotaenforcer.enforcer.query.EnforcerQueries;
import io.quotaenforcer.enforcer.query.LateDeferredQuery;
import io.quotaenforcer.enforcer.query.LateEnforcersQuery;
import io.quotaenforcer.enforcer.query.LatePenaltiesQuery;
import io.quotaenforcer.enforcer.query.UsageAnswer;
import io.quotaenforcer.server.Health;
import io.quotaenforcer.server.HttpLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class HttpLimitsTest {
  private static final HttpLimits SMALL =
      new HttpLimits(
          new HttpLimits.Sizes(1_000, 1_000, 1_000),
          new HttpLimits.Times(
              Duration.ofSeconds(1),
              Duration.ofSeconds(1),
              Duration.ofSeconds(2),
              Duration.ofSeconds(1)),
          2,
          16,
          1);
  private EnforcerHttp http;

  @BeforeEach
  void start() {
    http =
        EnforcerHttp.start(
            new HttpConfig("127.0.0.1", 0, Optional.empty()),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            Health.Ready::new,
            new EnforcerQueries(
                (rule, attributes) -> new UsageAnswer.NotFound("none"),
                new LateDeferredQuery(),
                new LatePenaltiesQuery(),
                new LateEnforcersQuery()),
            SMALL);
  }

  @AfterEach
  void stop() {
    http.close();
  }

  @Test
  void client_thatSendsNothing_isDisconnected() throws Exception {
    try (Socket silent = connect()) {
      assertThat(rest(silent)).isEmpty();
    }
  }

  @Test
  void client_thatSendsHalfAHeader_isDisconnected() throws Exception {
    try (Socket slow = connect()) {
      send(slow, "GET /health/live HTTP/1.1\r\nHo");
      assertThat(rest(slow)).doesNotContain("200");
    }
  }

  @Test
  void client_thatSendsHalfABody_isAnsweredAndDisconnected() throws Exception {
    try (Socket slow = connect()) {
      send(slow, "POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\nab");
      assertThat(rest(slow)).startsWith("HTTP/1.1 405");
    }
  }

  @Test
  void header_thatIsTooLong_isRefused() throws Exception {
    try (Socket long1 = connect();
        Socket long2 = connect()) {
      send(long1, "GET /" + "a".repeat(2_000) + " HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(rest(long1)).startsWith("HTTP/1.1 414");
      send(long2, "GET /health/live HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(2_000) + "\r\n\r\n");
      assertThat(rest(long2)).startsWith("HTTP/1.1 431");
    }
  }

  @Test
  void connections_moreThanAllowed_areClosedAndTheRestIsServed() throws Exception {
    try (Socket first = connect();
        Socket second = connect()) {
      send(first, "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(first.getInputStream().read()).isEqualTo('H');
      try (Socket third = connect()) {
        assertThat(rest(third)).isEmpty();
      }
      assertThat(second.isConnected()).isTrue();
    }
    Awaitility.await()
        .untilAsserted(
            () -> {
              try (Socket later = connect()) {
                send(later, "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                assertThat(rest(later)).startsWith("HTTP/1.1 200");
              }
            });
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), http.port());
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  /** All that comes until the server closes the connection. */
  private static String rest(Socket socket) throws IOException {
    try {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (SocketException reset) {
      return "";
    }
  }
}
