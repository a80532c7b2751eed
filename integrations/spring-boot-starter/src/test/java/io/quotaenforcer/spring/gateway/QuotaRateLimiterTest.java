package io.quotaenforcer.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.http.HttpQuota.OnFailure;
import io.quotaenforcer.rules.QuotaRules;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter.Response;

class QuotaRateLimiterTest {
  private final Admission admission =
      AdmissionClient.standalone(
          QuotaRules.parse(
              """
              domain: edge
              rules:
                - {id: calls, match: {route: api}, key: [key], limit: {permits: 2, per: 1d}}
              """),
          Clocks.system());

  @Test
  void route_isDecidedByItsIdAndKey_atItsCost() {
    QuotaRateLimiter limiter = limiter(OnFailure.RUN);
    Response first = allowed(limiter, "api", "a");
    assertThat(first.isAllowed()).isTrue();
    assertThat(first.getHeaders()).containsEntry("X-RateLimit-Remaining", "1");
    assertThat(allowed(limiter, "api", "a").isAllowed()).isTrue();
    Response third = allowed(limiter, "api", "a");
    assertThat(third.isAllowed()).isFalse();
    assertThat(third.getHeaders()).containsKeys("Retry-After", "RateLimit-Policy");

    QuotaRateLimiter.Config costly = limiter.newConfig();
    costly.setCost(3);
    limiter.getConfig().put("api", costly);
    assertThat(allowed(limiter, "api", "b").isAllowed()).isFalse();
    assertThat(allowed(limiter, "other", "b").isAllowed()).isTrue();
  }

  @Test
  void costThatIsNone_isAFailure() {
    for (OnFailure onFailure : OnFailure.values()) {
      QuotaRateLimiter limiter = limiter(onFailure);
      QuotaRateLimiter.Config wrong = limiter.newConfig();
      wrong.setCost(-1);
      limiter.getConfig().put("api", wrong);
      assertThat(allowed(limiter, "api", "a").isAllowed()).isEqualTo(onFailure == OnFailure.RUN);
    }
  }

  @Test
  void rulesNotKnown_isRefusedWithRetryAfter_ifTheServiceWantsThat() {
    try (AdmissionClient client =
        AdmissionClient.builder()
            .bootstrapServers("127.0.0.1:9")
            .property("before.rules", "deny")
            .property("close.timeout", "0")
            .build()) {
      QuotaRateLimiter limiter = new QuotaRateLimiter(client, Duration.ZERO, OnFailure.RUN, null);
      Response response = allowed(limiter, "api", "a");
      assertThat(response.isAllowed()).isFalse();
      assertThat(response.getHeaders()).containsEntry("Retry-After", "1");
    }
  }

  private QuotaRateLimiter limiter(OnFailure onFailure) {
    return new QuotaRateLimiter(admission, Duration.ZERO, onFailure, null);
  }

  private static Response allowed(QuotaRateLimiter limiter, String route, String key) {
    return limiter.isAllowed(route, key).block();
  }
}
