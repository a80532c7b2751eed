package io.quotaenforcer.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.rules.QuotaRules;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refusals by their reason. */
class HttpAnswersTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RuleId RULE = new RuleId("shop", "logins");
  private static final String RULES =
      "domain: shop\nrules: [{id: logins, key: [ip], limit: {permits: 2, per: 1m}, status: 403}]";

  @ParameterizedTest
  @CsvSource({
    "PENALTY, false, abnormal-usage-detected, All is refused for a while after too many refusals",
    "PENALTY, true, abnormal-usage-detected, All is refused for a while after too many refusals",
    "OVER_LIMIT, false, quota-exceeded, The quota is used up",
    "OVER_LIMIT, true, temporary-reduced-capacity, The service cannot say now",
    "NOT_GRANTED_YET, false, temporary-reduced-capacity, The service cannot say now"
  })
  void refusal_hasTheProblemTypeOfItsReason_andTheTimeToTryAgain(
      ThrottleReason reason, boolean degraded, String type, String title) {
    RuleDecision by =
        RuleDecision.builder(QuotaKey.of(RULE, List.of("192.0.2.7")), new FixedWindow(2, SECOND), 0)
            .retryAfterNanos(600 * SECOND)
            .degraded(degraded)
            .reason(reason)
            .build();
    ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:30Z"));
    HttpAnswers answers =
        new HttpAnswers(
            AdmissionClient.standalone(QuotaRules.parse(RULES), clock.clocks()), RuleId::id);
    HttpAnswer answer = answers.refused(new Decision.Throttled(by));

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.headers()).containsEntry("Retry-After", "600");
    assertThat(answer.body())
        .contains("http-problem-types#" + type + "\"")
        .contains(title)
        .contains("refused by logins; try again in 600 s");
  }
}
