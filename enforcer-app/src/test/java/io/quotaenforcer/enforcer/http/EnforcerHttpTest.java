package io.quotaenforcer.enforcer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.config.HttpConfig;
import io.quotaenforcer.enforcer.query.EnforcerQueries;
import io.quotaenforcer.enforcer.query.LateDeferredQuery;
import io.quotaenforcer.enforcer.query.LateEnforcersQuery;
import io.quotaenforcer.enforcer.query.LatePenaltiesQuery;
import io.quotaenforcer.enforcer.query.QuotaUsageRecord;
import io.quotaenforcer.enforcer.query.QuotaUsageRecord.WindowUsage;
import io.quotaenforcer.enforcer.query.UsageAnswer;
import io.quotaenforcer.server.Health;
import io.quotaenforcer.server.HttpException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class EnforcerHttpTest {
  private final LateEnforcersQuery enforcers = new LateEnforcersQuery();
  private static final HttpConfig ANY_PORT = new HttpConfig("127.0.0.1", 0, Optional.empty());

  private final PrometheusMeterRegistry metrics =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final HttpClient client = HttpClient.newHttpClient();
  private volatile Health health = new Health.Ready();
  private volatile UsageAnswer answer = new UsageAnswer.NotFound("nothing was counted");
  private volatile String asked = "";
  private EnforcerHttp http;

  @BeforeEach
  void start() {
    http = start(ANY_PORT);
  }

  @AfterEach
  void stop() {
    http.close();
  }

  @Test
  void metrics_areInPrometheusFormat() throws Exception {
    metrics.counter("quota.dead.letters", "topic", "a").increment(3);

    HttpResponse<String> response = get("/metrics");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type")).get().asString().contains("0.0.4");
    assertThat(response.body()).contains("quota_dead_letters_total{topic=\"a\"} 3.0");
  }

  @Test
  void metrics_areInOpenMetricsForWhoAsksForIt() throws Exception {
    metrics.counter("quota.dead.letters", "topic", "a").increment(3);

    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder(uri("/metrics"))
                .header("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"));

    assertThat(response.headers().firstValue("content-type"))
        .get()
        .asString()
        .startsWith("application/openmetrics-text");
    assertThat(response.body())
        .contains("# TYPE quota_dead_letters counter", "quota_dead_letters_total{topic=\"a\"} 3.0")
        .endsWith("# EOF\n");
  }

  @Test
  void health_inEachState_tellsWhetherToWaitOrToRestart() throws Exception {
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    assertThat(get("/health/ready").statusCode()).isEqualTo(200);
    assertThat(get("/health/ready").body()).isEqualTo("{\"status\":\"ready\"}");

    health = new Health.Starting("loads rules");
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    assertThat(get("/health/ready").body())
        .isEqualTo("{\"status\":\"starting\",\"reason\":\"loads rules\"}");

    health = new Health.Failing("a record is too large");
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    assertThat(get("/health/ready").body())
        .isEqualTo("{\"status\":\"failing\",\"reason\":\"a record is too large\"}");

    health = new Health.Failed("no thread is left");
    assertThat(get("/health/live").statusCode()).isEqualTo(503);
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
  }

  @Test
  void usage_found_isJson() throws Exception {
    answer =
        new UsageAnswer.Found(
            new QuotaUsageRecord(
                "posts/per-user/42",
                "2 per 1s",
                1,
                2,
                3,
                Optional.of(Instant.parse("2026-11-21T00:10:00Z")),
                List.of(new WindowUsage(Instant.parse("2026-11-21T00:00:00Z"), 4, 5)),
                List.of()));

    HttpResponse<String> response = get("/usage/posts/per-user?user=4%202&team=a%26b");

    assertThat(asked).isEqualTo("posts/per-user {user=4 2, team=a&b}");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .isEqualTo(
            "{\"quotaKey\":\"posts/per-user/42\",\"limit\":\"2 per 1s\",\"available\":1,"
                + "\"outstanding\":2,\"holders\":3,\"penaltyUntil\":\"2026-11-21T00:10:00Z\",\"windows\":[{\"start\":"
                + "\"2026-11-21T00:00:00Z\",\"used\":4,\"throttled\":5}]}");
  }

  @Test
  void usage_ofAnotherEnforcer_redirectsWithTheQuestion() throws Exception {
    answer = new UsageAnswer.Elsewhere(URI.create("http://127.0.0.1:7"));

    HttpResponse<String> response = get("/usage/posts/per-user?user=4%202");

    assertThat(response.statusCode()).isEqualTo(307);
    assertThat(response.headers().firstValue("location"))
        .contains("http://127.0.0.1:7/usage/posts/per-user?user=4+2");
  }

  @Test
  void usage_notAnswered_saysWhyAndWhetherToRetry() throws Exception {
    assertThat(get("/usage/posts/per-user").statusCode()).isEqualTo(404);
    assertThat(get("/usage/posts/per-user").body())
        .isEqualTo("{\"error\":\"nothing was counted\"}");

    answer = new UsageAnswer.NotReady("takes over");
    HttpResponse<String> later = get("/usage/posts/per-user");
    assertThat(later.statusCode()).isEqualTo(503);
    assertThat(later.headers().firstValue("retry-after")).contains("1");

    answer = new UsageAnswer.Invalid("must name user");
    assertThat(get("/usage/posts/per-user").statusCode()).isEqualTo(400);
  }

  @Test
  void question_thatIsWrong_isRefusedWithoutAsking() throws Exception {
    assertThat(get("/usage/po%20sts/per-user").statusCode()).isEqualTo(400);
    assertThat(get("/usage/posts/per-user?user=1&user=2").body())
        .isEqualTo("{\"error\":\"must be given only once: user\"}");
    assertThat(get("/usage/posts").statusCode()).isEqualTo(404);
    assertThat(get("/nothing").statusCode()).isEqualTo(404);
    assertThat(send(HttpRequest.newBuilder(uri("/metrics")).DELETE()).statusCode()).isEqualTo(405);
    assertThat(asked).isEmpty();
  }

  @Test
  void enforcers_areListed_onceTheTopologyRuns() throws Exception {
    HttpResponse<String> early = get("/v1/enforcers");
    enforcers.answerWith(() -> List.of(URI.create("http://a:1"), URI.create("http://b:2")));

    assertThat(early.statusCode()).isEqualTo(503);
    assertThat(early.body()).contains("the enforcer is starting");
    assertThat(get("/v1/enforcers").body())
        .isEqualTo("{\"enforcers\":[\"http://a:1\",\"http://b:2\"]}");
  }

  @Test
  void failure_inside_isNotShown() throws Exception {
    http.close();
    http =
        EnforcerHttp.start(
            ANY_PORT,
            metrics,
            () -> health,
            new EnforcerQueries(
                (rule, attributes) -> {
                  throw new IllegalStateException("password=hunter2");
                },
                new LateDeferredQuery(),
                new LatePenaltiesQuery(),
                enforcers));

    HttpResponse<String> response = get("/usage/posts/per-user");

    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(response.body()).doesNotContain("hunter2");
  }

  @Test
  void server_closed_leavesItsPort() {
    int port = http.port();
    http.close();
    http.close();

    await()
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              try (ServerSocket again = new ServerSocket()) {
                again.setReuseAddress(true);
                again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                assertThat(again.isBound()).isTrue();
              }
            });
  }

  @Test
  void port_thatIsTaken_isAClearError() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThatExceptionOfType(HttpException.class)
          .isThrownBy(() -> start(new HttpConfig("127.0.0.1", port, Optional.empty())))
          .withMessage(
              "cannot listen on 127.0.0.1:%d: another program uses it; set http.port to another"
                  + " port, or to 0 for a free one",
              port);
    }
  }

  @Test
  void address_thatIsNotOurs_isAClearError() {
    assertThatExceptionOfType(HttpException.class)
        .isThrownBy(() -> start(new HttpConfig("192.0.2.1", 0, Optional.empty())))
        .withMessage(
            "cannot listen on 192.0.2.1:0: this machine has no such address; set http.host to one"
                + " of its own");
    assertThatExceptionOfType(HttpException.class)
        .isThrownBy(() -> start(new HttpConfig("no-such-host.invalid", 0, Optional.empty())))
        .withMessageStartingWith(
            "cannot listen on no-such-host.invalid:0: there is no such address");
  }

  private EnforcerHttp start(HttpConfig config) {
    return EnforcerHttp.start(
        config,
        metrics,
        () -> health,
        new EnforcerQueries(
            this::ask, new LateDeferredQuery(), new LatePenaltiesQuery(), enforcers));
  }

  private UsageAnswer ask(RuleId rule, Map<String, String> attributes) {
    asked = rule + " " + attributes;
    return answer;
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(uri(path)));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create("http://" + http.address() + path);
  }
}
