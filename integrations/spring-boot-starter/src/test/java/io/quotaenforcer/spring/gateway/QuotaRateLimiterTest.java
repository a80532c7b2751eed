package io.quotaenforcer.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.http.HttpQuota.OnFailure;
import io.quotaenforcer.rules.QuotaRules;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter.Response;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.core.convert.support.DefaultConversionService;

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
  void keyThatIsNone_isAFailure() {
    for (OnFailure onFailure : OnFailure.values()) {
      assertThat(allowed(limiter(onFailure), "api", null).isAllowed())
          .isEqualTo(onFailure == OnFailure.RUN);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1000000000001"})
  void costThatNoRequestHas_isNotBound(String cost) {
    QuotaRateLimiter limiter =
        new QuotaRateLimiter(
            admission,
            Duration.ZERO,
            OnFailure.RUN,
            new ConfigurationService(
                new DefaultListableBeanFactory(),
                DefaultConversionService::getSharedInstance,
                () -> null));

    assertThatExceptionOfType(BindException.class)
        .isThrownBy(
            () ->
                limiter.onApplicationEvent(
                    new FilterArgsEvent(this, "api", Map.of("quota.cost", cost))))
        .withRootCauseInstanceOf(IllegalArgumentException.class);
    assertThat(limiter.getConfig()).isEmpty();
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

  private static Response allowed(QuotaRateLimiter limiter, String route, @Nullable String key) {
    return limiter.isAllowed(route, key).block();
  }
}
