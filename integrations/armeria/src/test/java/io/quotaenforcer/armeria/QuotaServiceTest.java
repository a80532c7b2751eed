package io.quotaenforcer.armeria;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.server.Server;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.rules.QuotaRules;
import io.quotaenforcer.testkit.HttpLoad;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The decorator on a real port, with rules that are decided in this process. */
@Timeout(60)
class QuotaServiceTest {
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: logins, match: {path: /login}, key: [ip],
           limit: {permits: 2, per: 1m, algorithm: fixed-window}}
        - {id: reads, match: {path: /read}, key: [], limit: {permits: 300, per: 1m}}
      """;

  private final Admission admission =
      AdmissionClient.standalone(
          QuotaRules.parse(RULES), new ManualClock(Instant.parse("2026-01-01T00:00:30Z")).clocks());
  private final Server server = ShopService.start(admission, Duration.ZERO);
  private final HttpLoad load = new HttpLoad();

  @AfterEach
  void stop() {
    server.stop().join();
  }

  private HttpResponse<String> get(String path, String... headers) {
    return load.get(server.activeLocalPort(), path, headers);
  }

  @Test
  void admitted_isServed_withHeaders() {
    HttpResponse<String> answer = get("/login");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("hello");
    assertThat(answer.headers().firstValue("RateLimit")).contains("\"logins\";r=1;t=30");
  }

  @Test
  void refused_hasProblemDetails() {
    get("/login");
    get("/login");
    HttpResponse<String> answer = get("/login");

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Retry-After")).contains("30");
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(answer.body()).contains("quota-exceeded");
  }

  @Test
  void encodedPaths_andForgedAddresses_getPastNothing() {
    get("/%6Cogin");
    get("//login", "X-Forwarded-For", "1.1.1.1");
    for (String path : List.of("/login", "/./login", "/login;a=b", "/login/")) {
      assertThat(get(path, "X-Forwarded-For", "2.2.2.2", "Forwarded", "for=2.2.2.2").statusCode())
          .as(path)
          .isEqualTo(429);
    }
    assertThat(get("/x/../login").statusCode()).as("Armeria's own answer").isEqualTo(400);
  }

  @Test
  void underLoad_exactlyTheLimitIsAdmitted() {
    assertThat(load.get(List.of(server.activeLocalPort()), "/read", 500, 8))
        .isEqualTo(Map.of(200, 300, 429, 200));
  }
}
