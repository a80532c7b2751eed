package io.quotaenforcer.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.rules.QuotaRules;
import io.quotaenforcer.testkit.HttpLoad;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The filter in Tomcat, with rules that are decided in this process. */
@Timeout(60)
class QuotaFilterTest {
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: logins, match: {path: /login}, key: [ip],
           limit: {permits: 2, per: 1m, algorithm: fixed-window}}
        - {id: reads, match: {path: /read}, key: [], limit: {permits: 300, per: 1m}}
      """;

  @TempDir Path folder;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:30Z"));
  private final SlowAdmission admission =
      new SlowAdmission(AdmissionClient.standalone(QuotaRules.parse(RULES), clock.clocks()));
  private final HttpLoad load = new HttpLoad();
  private ShopService service;

  @BeforeEach
  void start() throws Exception {
    service = serve(admission, Duration.ZERO);
  }

  @AfterEach
  void stop() throws Exception {
    service.close();
  }

  private ShopService serve(Admission deciding, Duration maxWait) throws Exception {
    return ShopService.start(folder, new QuotaFilter(ShopService.quota(deciding, maxWait)));
  }

  private HttpResponse<String> get(String path, String... headers) {
    return load.get(service.port(), path, headers);
  }

  @Test
  void admitted_runs_withHeaders() {
    HttpResponse<String> answer = get("/login");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("hello at /login");
    assertThat(answer.headers().firstValue("X-RateLimit-Remaining")).contains("1");
    assertThat(answer.headers().firstValue("RateLimit")).contains("\"logins\";r=1;t=30");
  }

  @Test
  void refused_hasProblemDetails_andDoesNotRun() {
    get("/login");
    get("/login");
    HttpResponse<String> answer = get("/login");

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Retry-After")).contains("30");
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/problem+json");
    assertThat(answer.body()).contains("quota-exceeded").contains("\"logins\"");
  }

  @Test
  void encodedPaths_andForgedAddresses_getPastNothing() {
    assertThat(get("/%6Cogin").statusCode()).isEqualTo(200);
    assertThat(get("//login", "X-Forwarded-For", "1.1.1.1").statusCode()).isEqualTo(200);
    for (String path : List.of("/login", "/x/../login", "/./login", "/login;a=b", "/l%6fgin")) {
      assertThat(get(path, "X-Forwarded-For", "2.2.2.2", "Forwarded", "for=2.2.2.2").statusCode())
          .as(path)
          .isEqualTo(429);
    }
  }

  @Test
  void underLoad_exactlyTheLimitIsAdmitted() {
    assertThat(load.get(List.of(service.port()), "/read", 500, 8))
        .isEqualTo(Map.of(200, 300, 429, 200));
  }

  @Test
  void waits_withoutAThread_andThenRunsOrIsRefused() throws Exception {
    service.close();
    service = serve(admission, Duration.ofSeconds(30));
    admission.hold();
    CompletableFuture<HttpResponse<String>> first = async("/login");
    CompletableFuture<HttpResponse<String>> second = async("/login");
    CompletableFuture<HttpResponse<String>> third = async("/login");
    await().atMost(Duration.ofSeconds(40)).until(() -> admission.waiting() == 3);
    assertThat(busyThreads()).as("threads that hold a request").isZero();

    admission.release();

    assertThat(List.of(first.get(), second.get(), third.get()))
        .extracting(HttpResponse::statusCode)
        .containsExactlyInAnyOrder(200, 200, 429);
    assertThat(admission.decisions()).as("nothing is decided twice").isEqualTo(3);
  }

  @Test
  void decidingFails_theRequestRuns() throws Exception {
    service.close();
    service =
        ShopService.start(
            folder,
            new QuotaFilter(
                HttpQuota.builder(
                        admission,
                        http -> {
                          throw new IllegalStateException("no user");
                        })
                    .build()));
    assertThat(get("/login").statusCode()).isEqualTo(200);
  }

  @Test
  void twoFilters_eachDecides_onceForARequest() throws Exception {
    service.close();
    SlowAdmission global =
        new SlowAdmission(
            AdmissionClient.standalone(
                QuotaRules.parse(
                    "domain: all\nrules: [{id: all, key: [], limit: {permits: 1, per: 1m}}]"),
                clock.clocks()));
    Filter outer = new QuotaFilter(ShopService.quota(admission, Duration.ZERO));
    Filter inner = new QuotaFilter(ShopService.quota(global, Duration.ZERO));
    service =
        ShopService.start(
            folder,
            (request, response, chain) ->
                outer.doFilter(
                    request, response, (its, answer) -> inner.doFilter(its, answer, chain)));

    assertThat(get("/login").statusCode()).isEqualTo(200);
    assertThat(get("/login").statusCode()).as("by the inner filter's rule").isEqualTo(429);
    assertThat(admission.decisions()).isEqualTo(2);
    assertThat(global.decisions()).isEqualTo(2);
  }

  @Test
  void refusal_afterAWait_thatCannotBeWritten_endsTheRequest() throws Exception {
    service.close();
    Filter filter = new QuotaFilter(ShopService.quota(admission, Duration.ofSeconds(30)));
    service =
        ShopService.start(
            folder,
            (request, response, chain) ->
                filter.doFilter(request, new Unwritable(response), chain));
    get("/login");
    get("/login");
    admission.hold();
    CompletableFuture<HttpResponse<String>> refused = async("/login");
    await().atMost(Duration.ofSeconds(40)).until(() -> admission.waiting() == 1);

    admission.release();

    assertThat(refused).succeedsWithin(Duration.ofSeconds(20));
    assertThat(refused.join().statusCode()).isEqualTo(429);
  }

  /** Takes no header of problem details, nor what would be behind it. */
  private static final class Unwritable extends HttpServletResponseWrapper {
    Unwritable(ServletResponse response) {
      super((HttpServletResponse) response);
    }

    @Override
    public void setHeader(String name, String value) {
      if (value.startsWith("application/problem")) {
        throw new IllegalStateException("no such header");
      }
      super.setHeader(name, value);
    }
  }

  private CompletableFuture<HttpResponse<String>> async(String path) {
    return CompletableFuture.supplyAsync(() -> get(path));
  }

  private static long busyThreads() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().contains("-exec-"))
        .filter(
            thread ->
                List.of(thread.getValue()).stream()
                    .anyMatch(frame -> frame.getClassName().contains("QuotaFilter")))
        .count();
  }
}
