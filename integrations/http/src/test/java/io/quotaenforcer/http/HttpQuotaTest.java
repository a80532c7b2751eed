package io.quotaenforcer.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.rules.QuotaRules;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HttpQuotaTest {
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: logins, match: {path: /login}, key: [ip],
           limit: {permits: 2, per: 1m, algorithm: fixed-window}}
        - {id: busy, match: {path: /busy}, key: [ip], limit: {permits: 1, per: 1m}, status: 503}
        - id: banned
          match: {path: /banned}
          key: [ip]
          limit: {permits: 1, per: 1m}
          status: 403
          overrides: [{key: {ip: 192.0.2.7}, deny: true}]
      """;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:30Z"));
  private final Admission admission =
      AdmissionClient.standalone(QuotaRules.parse(RULES), clock.clocks());
  private final HttpQuota quota =
      HttpQuota.builder(
              admission,
              http -> Optional.of(Request.of("ip", http.clientAddress(), "path", http.path())))
          .build();

  @Test
  void admitted_runsWithHeaders_andUnmatchedWithout() {
    assertThat(quota.decide(Requests.get("/login")))
        .isInstanceOfSatisfying(
            Verdict.Run.class,
            run ->
                assertThat(run.headers())
                    .containsEntry("X-RateLimit-Remaining", "1")
                    .containsEntry("RateLimit", "\"logins\";r=1;t=30")
                    .doesNotContainKey("Retry-After"));
    assertThat(quota.decide(Requests.get("/other"))).isEqualTo(new Verdict.Run(Map.of()));
  }

  @Test
  void otherSpellingsOfAPath_areCountedToo() {
    assertThat(quota.decide(Requests.get("//login/"))).isInstanceOf(Verdict.Run.class);
    assertThat(quota.decide(Requests.get("/x/../login"))).isInstanceOf(Verdict.Run.class);
    assertThat(quota.decide(Requests.get("/login"))).isInstanceOf(Verdict.Refused.class);
  }

  @Test
  void refused_answersWithProblemDetails() throws Exception {
    quota.decide(Requests.get("/login"));
    quota.decide(Requests.get("/login"));

    HttpAnswer answer = refusal("/login");

    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.headers())
        .containsEntry("Retry-After", "30")
        .containsEntry("X-RateLimit-Remaining", "0")
        .containsEntry("RateLimit-Policy", "\"logins\";q=2;w=60")
        .containsEntry("Content-Type", "application/problem+json");
    JsonNode body = new ObjectMapper().readTree(answer.body());
    assertThat(body.path("type").asText())
        .isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
    assertThat(body.path("status").asInt()).isEqualTo(429);
    assertThat(body.path("detail").asText()).isEqualTo("refused by logins; try again in 30 s");
    assertThat(body.path("violated-policies").get(0).asText()).isEqualTo("logins");
  }

  @Test
  void refused_byARuleWithAnotherStatus_hasIt() {
    quota.decide(Requests.get("/busy"));

    assertThat(refusal("/busy").status()).isEqualTo(503);
    HttpAnswer denied = refusal("/banned");
    assertThat(denied.status()).isEqualTo(403);
    assertThat(denied.headers()).doesNotContainKey("Retry-After");
    assertThat(denied.body()).contains("trying again is of no use");
  }

  @Test
  void extractorFails_theRequestRuns_orIsRefusedIfTheServiceWantsThat() {
    QuotaExtractor failing =
        http -> {
          throw new IllegalStateException("no user");
        };
    HttpQuota lenient = HttpQuota.builder(admission, failing).build();
    HttpQuota firm =
        HttpQuota.builder(admission, failing).onFailure(HttpQuota.OnFailure.REFUSE).build();

    assertThat(lenient.decide(Requests.get("/login"))).isEqualTo(new Verdict.Run(Map.of()));
    assertThat(lenient.decideAsync(Requests.get("/login")))
        .isCompletedWithValue(new Verdict.Run(Map.of()));
    assertThat(firm.decide(Requests.get("/login")))
        .isInstanceOfSatisfying(
            Verdict.Failed.class, failed -> assertThat(failed.answer().status()).isEqualTo(503));
  }

  @Test
  void extractorWantsNothingDecided_runs() {
    HttpQuota none = HttpQuota.builder(admission, http -> Optional.empty()).build();
    assertThat(none.decide(Requests.get("/login"))).isEqualTo(new Verdict.Run(Map.of()));
    assertThat(none.decideAsync(Requests.get("/login")))
        .isCompletedWithValue(new Verdict.Run(Map.of()));
  }

  @Test
  void rulesNotKnown_andNothingAdmitted_is503WithRetryAfter() {
    try (AdmissionClient client =
        AdmissionClient.builder()
            .bootstrapServers("127.0.0.1:9")
            .property("before.rules", "deny")
            .property("close.timeout", Duration.ZERO.toMillis() + "ms")
            .build()) {
      HttpQuota early =
          HttpQuota.builder(client, http -> Optional.of(Request.of("ip", http.clientAddress())))
              .build();
      assertThat(early.decide(Requests.get("/login")))
          .isInstanceOfSatisfying(
              Verdict.Refused.class,
              refused -> {
                assertThat(refused.answer().status()).isEqualTo(503);
                assertThat(refused.answer().headers()).containsEntry("Retry-After", "1");
              });
    }
  }

  @Test
  void text_thatClientsSee_isEscaped() throws Exception {
    HttpQuota named =
        HttpQuota.builder(admission, http -> Optional.of(Request.of("ip", "x", "path", "/busy")))
            .policyNames(id -> "\"<b>\\")
            .build();
    named.decide(Requests.get("/"));
    HttpAnswer answer = ((Verdict.Refused) named.decide(Requests.get("/"))).answer();
    assertThat(answer.body()).doesNotContain("<");
    assertThat(new ObjectMapper().readTree(answer.body()).path("violated-policies").get(0).asText())
        .isEqualTo("\"<b>\\");
  }

  @Test
  void refusal_thatTheServiceDecided_isAnsweredAsItsOwn() {
    quota.decide(Requests.get("/busy"));
    Verdict.Refused refused = (Verdict.Refused) quota.decide(Requests.get("/busy"));

    assertThat(quota.answer(refused.decision())).isEqualTo(refused.answer());

    HttpQuota misnamed =
        HttpQuota.builder(admission, http -> Optional.empty()).policyNames(id -> "é").build();
    assertThat(misnamed.answer(refused.decision()).status()).isEqualTo(503);
  }

  @Test
  void refusal_thatCannotBeExplained_isARefusalAllTheSame() {
    HttpQuota misnamed =
        HttpQuota.builder(admission, http -> Optional.of(Request.of("ip", "x", "path", "/busy")))
            .policyNames(id -> "é")
            .build();
    misnamed.decide(Requests.get("/"));

    assertThat(misnamed.decide(Requests.get("/")))
        .isInstanceOfSatisfying(
            Verdict.Refused.class, refused -> assertThat(refused.answer().status()).isEqualTo(503));
    assertThat(misnamed.decideAsync(Requests.get("/")).join()).isInstanceOf(Verdict.Refused.class);
  }

  @Test
  void deferred_withoutAStatusLink_is202WithoutLocation() {
    quota.decide(Requests.get("/busy"));
    Verdict.Refused refused = (Verdict.Refused) quota.decide(Requests.get("/busy"));
    Deferred accepted =
        new Deferred.Accepted("d-1", refused.decision().rule().orElseThrow().quotaKey(), 3);
    HttpQuota linkless =
        HttpQuota.builder(admission, http -> Optional.empty())
            .statusLinks(
                id -> {
                  throw new IllegalStateException("no link");
                })
            .build();

    HttpAnswer answer = linkless.deferred(refused, accepted, null);

    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.headers()).doesNotContainKey("Location");
    assertThat(answer.body()).contains("d-1");
  }

  private HttpAnswer refusal(String path) {
    return ((Verdict.Refused) quota.decide(Requests.get(path))).answer();
  }
}
