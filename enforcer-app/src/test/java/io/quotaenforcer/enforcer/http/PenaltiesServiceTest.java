package io.quotaenforcer.enforcer.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.enforcer.config.HttpConfig;
import io.quotaenforcer.enforcer.query.Coverage;
import io.quotaenforcer.enforcer.query.CoveredAnswer;
import io.quotaenforcer.enforcer.query.EnforcerQueries;
import io.quotaenforcer.enforcer.query.LateDeferredQuery;
import io.quotaenforcer.enforcer.query.LateEnforcersQuery;
import io.quotaenforcer.enforcer.query.LatePenaltiesQuery;
import io.quotaenforcer.enforcer.query.Page;
import io.quotaenforcer.enforcer.query.PenalizedKey;
import io.quotaenforcer.enforcer.query.UsageAnswer;
import io.quotaenforcer.server.Health;
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

@Timeout(30)
class PenaltiesServiceTest {
  private static final PenalizedKey MALLORY =
      new PenalizedKey(
          QuotaKey.parse("logins/per-user/m%20y"),
          Mode.SHADOW,
          Instant.ofEpochSecond(1),
          Instant.ofEpochSecond(61),
          3);

  private final HttpClient client = HttpClient.newHttpClient();
  private final LatePenaltiesQuery late = new LatePenaltiesQuery();
  private volatile String asked = "";
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
                late,
                new LateEnforcersQuery()));
  }

  @AfterEach
  void stop() {
    http.close();
  }

  private void answer() {
    late.answerWith(
        (where, after, most) -> {
          asked = "%s %s after %s, %d".formatted(where.rule(), where.partitions(), after, most);
          return new CoveredAnswer<>(
              new Page<>(List.of(MALLORY), true),
              new Coverage(
                  List.of(0), Map.of(URI.create("http://127.0.0.1:7"), List.of(1)), List.of(2)));
        });
  }

  private HttpResponse<String> get(String parameters) throws Exception {
    return client.send(
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/v1/penalties%s".formatted(http.port(), parameters)))
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  void penalties_areJson_andSayWhatTheyCover() throws Exception {
    answer();

    assertThat(get("").body())
        .isEqualTo(
            "{\"penalties\":[{\"quotaKey\":\"logins/per-user/m%20y\",\"rule\":\"logins/per-user\","
                + "\"mode\":\"shadow\",\"since\":\"1970-01-01T00:00:01Z\","
                + "\"until\":\"1970-01-01T00:01:01Z\",\"inARow\":3}],\"more\":true,"
                + "\"partitions\":{\"answered\":[0],\"elsewhere\":[{\"enforcer\":"
                + "\"http://127.0.0.1:7\",\"partitions\":[1]}],\"missing\":[2]}}");
    assertThat(asked).isEqualTo("Optional.empty [] after Optional.empty, 100");

    get("?rule=logins/per-user&after=logins/per-user/m%2520y&limit=7&partitions=2");
    assertThat(asked)
        .isEqualTo("Optional[logins/per-user] [2] after Optional[logins/per-user/m%20y], 7");
  }

  @Test
  void wrongQuestion_isRefusedWithWhatIsWrong() throws Exception {
    answer();

    for (String wrong :
        List.of(
            "?limit=1001 must be from 1 to 1000: limit=1001",
            "?partitions=x must be a number: partitions=x",
            "?key=a must be one of [after, limit, partitions, rule]: key")) {
      int space = wrong.indexOf(' ');
      HttpResponse<String> response = get(wrong.substring(0, space));
      assertThat(response.statusCode()).as(wrong).isEqualTo(400);
      assertThat(response.body())
          .isEqualTo(
              "{\"error\":\"%s\",\"category\":\"invalid\"}".formatted(wrong.substring(space + 1)));
    }
    assertThat(get("?rule=nothing").statusCode()).isEqualTo(400);
    assertThat(asked).isEmpty();
  }

  @Test
  void enforcer_thatStarts_asksToComeBack() throws Exception {
    HttpResponse<String> response = get("");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body())
        .isEqualTo("{\"error\":\"the enforcer is starting\",\"category\":\"not-ready\"}");
  }
}
