package io.quotaenforcer.enforcer.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.deferral.Lane;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.enforcer.config.HttpConfig;
import io.quotaenforcer.enforcer.query.Coverage;
import io.quotaenforcer.enforcer.query.CoveredAnswer;
import io.quotaenforcer.enforcer.query.DeferredEntry;
import io.quotaenforcer.enforcer.query.DeferredPlace;
import io.quotaenforcer.enforcer.query.DeferredQuery;
import io.quotaenforcer.enforcer.query.EnforcerQueries;
import io.quotaenforcer.enforcer.query.LateDeferredQuery;
import io.quotaenforcer.enforcer.query.LateEnforcersQuery;
import io.quotaenforcer.enforcer.query.LatePenaltiesQuery;
import io.quotaenforcer.enforcer.query.Page;
import io.quotaenforcer.enforcer.query.QueueStats;
import io.quotaenforcer.enforcer.query.UsageAnswer;
import io.quotaenforcer.server.Health;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class DeferredServiceTest {
  private static final QuotaKey KEY = QuotaKey.parse("posts/per-user/4%202");
  private static final Coverage COVERAGE =
      new Coverage(List.of(0, 2), Map.of(URI.create("http://127.0.0.1:7"), List.of(1)), List.of(3));
  private static final String PARTITIONS =
      "\"partitions\":{\"answered\":[0,2],\"elsewhere\":[{\"enforcer\":\"http://127.0.0.1:7\","
          + "\"partitions\":[1]}],\"missing\":[3]}}";

  private static final String TOKEN = "0123456789abcdef";
  private static final String PAYLOAD = "/v1/deferred/show?id=r1&payload=true";

  private final HttpClient client = HttpClient.newHttpClient();
  private final LateDeferredQuery late = new LateDeferredQuery();
  private volatile String asked = "";
  private volatile byte[] payload = "hello\n".getBytes(StandardCharsets.UTF_8);
  private EnforcerHttp http;
  private Path tokenFile;
  @TempDir private Path folder;

  @BeforeEach
  void start() throws IOException {
    tokenFile = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    http = start(new HttpConfig("127.0.0.1", 0, Optional.empty(), 0, Optional.of(tokenFile)));
    late.answerWith(new Fixed());
  }

  private EnforcerHttp start(HttpConfig config) {
    return EnforcerHttp.start(
        config,
        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
        Health.Ready::new,
        new EnforcerQueries(
            (rule, attributes) -> new UsageAnswer.NotFound("none"),
            late,
            new LatePenaltiesQuery(),
            new LateEnforcersQuery()));
  }

  @AfterEach
  void stop() {
    http.close();
  }

  @Test
  void stats_areJson_andSayWhatTheyCover() throws Exception {
    assertThat(get("/v1/deferred/stats?rule=posts/per-user&partitions=2").body())
        .isEqualTo(
            "{\"queues\":[{\"name\":\"posts/per-user\",\"keys\":2,\"waiting\":{\"expedited\":0,"
                + "\"high\":1,\"normal\":2,\"low\":3},\"total\":6,\"bytes\":99,"
                + "\"unacknowledged\":4,\"oldestSince\":\"1970-01-01T00:00:01Z\"}],"
                + PARTITIONS);
    assertThat(asked).isEqualTo("rules posts/per-user [2]");

    get("/v1/deferred/stats?key=posts/per-user/4%25202&by-key=true&limit=7");
    assertThat(asked).isEqualTo("keys posts/per-user/4%202 [] 7");
  }

  @Test
  void list_isJson() throws Exception {
    String body = get("/v1/deferred/list?rule=posts/per-user&after=posts/a/b:low:7").body();

    assertThat(asked).isEqualTo("list posts/per-user after posts/a/b:low:7, 100");
    assertThat(body)
        .isEqualTo(
            "{\"requests\":[{\"id\":\"r1\",\"quotaKey\":\"posts/per-user/4%202\","
                + "\"state\":\"waiting\",\"lane\":\"high\","
                + "\"place\":\"posts/per-user/4%202:high:17\",\"priority\":\"high\",\"cost\":2,"
                + "\"bytes\":50,\"payloadBytes\":6,\"deferredAt\":\"1970-01-01T00:00:01Z\","
                + "\"deadline\":\"1970-01-01T00:00:02Z\"}],\"more\":true,"
                + PARTITIONS);
  }

  @Test
  void show_withoutAToken_hasNeitherHeadersNorPayload() throws Exception {
    assertThat(get("/v1/deferred/show?id=r1").body())
        .contains("\"attributes\":{\"user\":\"4 2\"}")
        .doesNotContain("headers", "hello");
    assertThat(get("/v1/deferred/show?id=other").body()).startsWith("{\"requests\":[],");
  }

  @Test
  void show_forTheToken_hasHeadersAndPayload() throws Exception {
    assertThat(get(PAYLOAD, TOKEN).body())
        .contains("\"headers\":{\"a\":\"b\"}", "\"payload\":\"hello\\n\"");
    payload = new byte[] {0, 1};
    assertThat(get(PAYLOAD, TOKEN).body()).contains("\"payloadBase64\":\"AAE=\"");
  }

  @Test
  void show_forAnotherToken_isRefused() throws Exception {
    for (String wrong : List.of("", "x", TOKEN + "1", TOKEN.substring(1))) {
      HttpResponse<String> response = get(PAYLOAD, wrong);
      assertThat(response.statusCode()).as(wrong).isEqualTo(401);
      assertThat(response.headers().firstValue("www-authenticate")).contains("Bearer");
      assertThat(response.body())
          .contains("the token of http.token.file", "not-shown")
          .doesNotContain("hello");
    }
    assertThat(get(PAYLOAD).statusCode()).isEqualTo(401);
    assertThat(asked).isEmpty();
  }

  @Test
  void token_thatIsReplaced_countsAtOnce() throws Exception {
    Files.writeString(tokenFile, "another token, as of now".replace(' ', '-'));

    assertThat(get(PAYLOAD, TOKEN).statusCode()).isEqualTo(401);
    assertThat(get(PAYLOAD, "another-token,-as-of-now").statusCode()).isEqualTo(200);

    Files.delete(tokenFile);
    assertThat(get(PAYLOAD, "another-token,-as-of-now").statusCode()).isEqualTo(401);
  }

  @Test
  void payload_ofAnEnforcerWithoutATokenFile_isShownToNobody() throws Exception {
    http.close();
    http = start(new HttpConfig("127.0.0.1", 0, Optional.empty()));

    HttpResponse<String> response = get(PAYLOAD, TOKEN);

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(response.body()).contains("set http.token.file").doesNotContain("hello");
  }

  @Test
  void questions_thatAreWrong_areRefusedWithTheReason() throws Exception {
    List<String> wrong =
        List.of(
            "stats?rule=posts must be domain/rule-id: rule=posts",
            "stats?key=posts must be domain/rule-id/value...: quotaKey=posts",
            "stats?rule=a/b&key=a/b/c must be given only one of: rule, key",
            "stats?limit=x must be a number: limit=x",
            "stats?limit=1001 must be from 1 to 1000: limit=1001",
            "stats?by-key=1 must be true or false: 1",
            "stats?partitions=1,x must be a number: partitions=x",
            "stats?what=x must be one of [by-key, key, limit, partitions, rule]: what",
            "list must be given: rule, or key",
            "list?rule=a/b&after=c must be a place, as list names it: place=c",
            "show must be given: id",
            "show?id=a&id=b must be given only once: id");
    for (String line : wrong) {
      String path = line.substring(0, line.indexOf(' '));
      HttpResponse<String> response = get("/v1/deferred/" + path);
      assertThat(response.statusCode()).as(path).isEqualTo(400);
      assertThat(response.body())
          .isEqualTo(
              "{\"error\":\"%s\",\"category\":\"invalid\"}"
                  .formatted(line.substring(path.length() + 1)));
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void enforcer_thatStarts_asksToComeBack() throws Exception {
    http.close();
    http =
        EnforcerHttp.start(
            new HttpConfig("127.0.0.1", 0, Optional.empty()),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            Health.Ready::new,
            new EnforcerQueries(
                (rule, attributes) -> new UsageAnswer.NotFound("none"),
                new LateDeferredQuery(),
                new LatePenaltiesQuery(),
                new LateEnforcersQuery()));

    HttpResponse<String> response = get("/v1/deferred/stats");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("retry-after")).contains("1");
    assertThat(response.body())
        .isEqualTo("{\"error\":\"the enforcer is starting\",\"category\":\"not-ready\"}");
  }

  private final class Fixed implements DeferredQuery {
    private final QueueStats stats =
        new QueueStats("posts/per-user", 2, List.of(0L, 1L, 2L, 3L), 99, 4, 1000);

    private DeferredEntry entry() {
      return new DeferredEntry(
          new DeferredPlace(KEY, Lane.HIGH, 17),
          new DeferredRequest(
              "r1",
              KEY,
              Request.of("user", "4 2").withCost(2),
              Payload.of(payload),
              Map.of("a", "b"),
              Priority.HIGH,
              2000,
              1000,
              ReplyTo.NOBODY),
          50,
          payload.length,
          false);
    }

    @Override
    public CoveredAnswer<List<QueueStats>> statsByRule(Where where) {
      asked = "rules " + where.scope().text() + " " + where.partitions();
      return new CoveredAnswer<>(List.of(stats), COVERAGE);
    }

    @Override
    public CoveredAnswer<Page<QueueStats>> statsByKey(Where where, int most) {
      asked = "keys " + where.scope().text() + " " + where.partitions() + " " + most;
      return new CoveredAnswer<>(new Page<>(List.of(stats), false), COVERAGE);
    }

    @Override
    public CoveredAnswer<Page<DeferredEntry>> list(
        Where where, Optional<DeferredPlace> after, int most) {
      asked = "list " + where.scope().text() + " after " + after.orElseThrow() + ", " + most;
      return new CoveredAnswer<>(new Page<>(List.of(entry()), true), COVERAGE);
    }

    @Override
    public CoveredAnswer<List<DeferredEntry>> show(String id, Set<Integer> partitions) {
      return new CoveredAnswer<>(id.equals("r1") ? List.of(entry()) : List.of(), COVERAGE);
    }
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://" + http.address() + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path, String token) throws Exception {
    URI uri = URI.create("http://" + http.address() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + token).build();
    return client.send(request, BodyHandlers.ofString());
  }
}
