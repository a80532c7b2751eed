package io.quotaenforcer.enforcer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.enforcer.config.HttpConfig;
import io.quotaenforcer.enforcer.query.EnforcerQueries;
import io.quotaenforcer.enforcer.query.LateDeferredQuery;
import io.quotaenforcer.enforcer.query.LateEnforcersQuery;
import io.quotaenforcer.enforcer.query.LatePenaltiesQuery;
import io.quotaenforcer.enforcer.query.UsageAnswer;
import io.quotaenforcer.server.Health;
import io.quotaenforcer.server.HttpException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever uses up what clients may use of the other port, probes are answered. */
@Timeout(30)
class ProbeHttpTest {
  private static final HttpConfig CONFIG = new HttpConfig("127.0.0.1", 0, Optional.empty());
  private static final int FLOOD = 600;

  private final PrometheusMeterRegistry metrics =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<Socket> sockets = new ArrayList<>();
  private EnforcerHttp http;
  private ProbeHttp probes;

  @BeforeEach
  void start() {
    http =
        EnforcerHttp.start(
            CONFIG,
            metrics,
            Health.Ready::new,
            new EnforcerQueries(
                (rule, attributes) -> new UsageAnswer.NotFound("none"),
                new LateDeferredQuery(),
                new LatePenaltiesQuery(),
                new LateEnforcersQuery()));
    probes = ProbeHttp.start(CONFIG, metrics, Health.Ready::new);
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    http.close();
    probes.close();
  }

  @Test
  void probes_600IdleConnectionsToTheOtherPort_areAnsweredWithinASecond() throws Exception {
    for (int i = 0; i < FLOOD; i++) {
      try {
        sockets.add(new Socket(InetAddress.getLoopbackAddress(), http.port()));
      } catch (SocketException closedAlready) {
        // One too many: closed while it connected.
        continue;
      }
    }

    for (String path : List.of("/health/live", "/health/ready", "/metrics")) {
      assertThat(get(path).statusCode()).as(path).isEqualTo(200);
    }
  }

  @Test
  void questions_areNotAnsweredByTheProbesPort() throws Exception {
    assertThat(get("/v1/deferred/stats").statusCode()).isEqualTo(404);
    assertThat(get("/usage/a/b?user=1").statusCode()).isEqualTo(404);
  }

  @Test
  void port_thatIsTaken_isNamedByItsSetting() {
    HttpConfig taken =
        new HttpConfig("127.0.0.1", 0, Optional.empty(), http.port(), Optional.empty());

    assertThatThrownBy(() -> ProbeHttp.start(taken, metrics, Health.Ready::new))
        .isInstanceOf(HttpException.class)
        .hasMessageContaining("set http.probe.port to another port");
  }

  @Test
  void probePort_isTheOneAfter_unlessThatIsGiven() {
    assertThat(new HttpConfig("127.0.0.1", 8089, Optional.empty()).probePort()).isEqualTo(8090);
    assertThat(new HttpConfig("127.0.0.1", 65_535, Optional.empty()).probePort()).isZero();
    assertThat(CONFIG.probePort()).isZero();
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + probes.port() + path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(1)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
