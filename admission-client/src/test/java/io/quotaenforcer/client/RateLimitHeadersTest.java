package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitsPerPeriod;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitHeadersTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final PermitsPerPeriod PER_MINUTE = new FixedWindow(100, 60 * SECOND);

  @Test
  void admitted_oneRule_saysLimitRemainingAndReset() {
    RuleDecision rule = known("posts-per-user", PER_MINUTE, 50, 30 * SECOND);
    assertThat(lines(new Decision.Admitted(rule, List.of(rule))))
        .containsExactly(
            "X-RateLimit-Limit: 100",
            "X-RateLimit-Remaining: 50",
            "X-RateLimit-Reset: 30",
            "RateLimit-Policy: \"posts-per-user\";q=100;w=60",
            "RateLimit: \"posts-per-user\";r=50;t=30");
  }

  @Test
  void throttled_saysWhenToRetry() {
    assertThat(lines(throttled(PER_MINUTE, 0, 30 * SECOND, 30 * SECOND)))
        .containsExactly(
            "Retry-After: 30",
            "X-RateLimit-Limit: 100",
            "X-RateLimit-Remaining: 0",
            "X-RateLimit-Reset: 30",
            "X-Ratelimit-Retry-After: 30",
            "RateLimit-Policy: \"rule\";q=100;w=60",
            "RateLimit: \"rule\";r=0;t=30");
  }

  @Test
  void throttled_permitsComeBeforeTheReset_limitRenewsWithThem() {
    assertThat(lines(throttled(PER_MINUTE, 7, 30 * SECOND, 20 * MILLI)))
        .contains("Retry-After: 1", "X-RateLimit-Reset: 30", "RateLimit: \"rule\";r=7;t=1");
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 1", "999999999, 1", "1000000000, 1", "1000000001, 2", "59000000001, 60"})
  void retryAfter_isRoundedUp_atLeastOne(long nanos, String seconds) {
    assertThat(RateLimitHeaders.of(throttled(PER_MINUTE, 0, 60 * SECOND, nanos)))
        .containsEntry("Retry-After", seconds)
        .containsEntry("X-Ratelimit-Retry-After", seconds);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "1000000000, 1", "86399000000001, 86400"})
  void reset_isRoundedUp(long nanos, String seconds) {
    RuleDecision rule = known("rule", PER_MINUTE, 3, nanos);
    assertThat(RateLimitHeaders.of(new Decision.Admitted(rule, List.of(rule))))
        .containsEntry("X-RateLimit-Reset", seconds)
        .containsEntry("RateLimit", "\"rule\";r=3;t=" + seconds);
  }

  @Test
  void throttled_neverAdmitted_saysNoTimeToRetry() {
    long never = Long.MAX_VALUE - 1_795_000_000L * SECOND;
    assertThat(RateLimitHeaders.of(throttled(PER_MINUTE, 5, SECOND, never)))
        .doesNotContainKeys("Retry-After", "X-Ratelimit-Retry-After", "RateLimit")
        .containsEntry("X-RateLimit-Limit", "100");
  }

  @Test
  void throttled_notGrantedYet_doesNotSayThatSomeAreLeft() {
    RuleDecision late =
        RuleDecision.builder(key("rule"), PER_MINUTE, SECOND)
            .remaining(50)
            .retryAfterNanos(20 * MILLI)
            .reason(ThrottleReason.NOT_GRANTED_YET)
            .build();
    assertThat(lines(new Decision.Throttled(late)))
        .containsExactly(
            "Retry-After: 1",
            "X-RateLimit-Limit: 100",
            "X-Ratelimit-Retry-After: 1",
            "RateLimit-Policy: \"rule\";q=100;w=60");
  }

  @Test
  void throttled_underAPenalty_saysWhenItEnds() {
    RuleDecision penalized =
        RuleDecision.builder(key("rule"), PER_MINUTE, SECOND)
            .resetNanos(600 * SECOND)
            .retryAfterNanos(600 * SECOND)
            .reason(ThrottleReason.PENALTY)
            .build();
    assertThat(lines(new Decision.Throttled(penalized)))
        .containsExactly(
            "Retry-After: 600",
            "X-RateLimit-Limit: 100",
            "X-RateLimit-Remaining: 0",
            "X-RateLimit-Reset: 600",
            "X-Ratelimit-Retry-After: 600",
            "RateLimit-Policy: \"rule\";q=100;w=60",
            "RateLimit: \"rule\";r=0;t=600");
  }

  @Test
  void throttled_byAQuotaThatRenewsAllTheTime_resetsWhenThereIsRoom() {
    assertThat(RateLimitHeaders.of(throttled(PER_MINUTE, 0, 0, 3 * SECOND)))
        .containsEntry("X-RateLimit-Reset", "3")
        .containsEntry("RateLimit", "\"rule\";r=0;t=3");
  }

  @Test
  void deniedKey_hasALimitOf0_andNoTimeAtAll() {
    RuleDecision denied = RuleDecision.denied(key("rule"), 60 * SECOND, false, SECOND);
    assertThat(lines(new Decision.Throttled(denied)))
        .containsExactly("X-RateLimit-Limit: 0", "RateLimit-Policy: \"rule\";q=0;w=60");
  }

  @Test
  void beforeTheFirstSnapshot_whatIsUnknownIsLeftOut() {
    RuleDecision unknown =
        RuleDecision.builder(key("rule"), PER_MINUTE, SECOND).remaining(4).known(false).build();
    assertThat(lines(new Decision.Admitted(unknown, List.of(unknown))))
        .containsExactly("X-RateLimit-Limit: 100", "RateLimit-Policy: \"rule\";q=100;w=60");
  }

  @Test
  void unmatched_isEmpty() {
    assertThat(RateLimitHeaders.of(new Decision.Unmatched())).isEmpty();
  }

  @Test
  void severalRules_allAreListed_theMostRestrictiveIsInTheXHeaders() {
    RuleDecision day =
        known("per-day", new FixedWindow(1_000, 86_400 * SECOND), 40, 3_600 * SECOND);
    RuleDecision minute = known("per-minute", PER_MINUTE, 60, 20 * SECOND);
    assertThat(lines(new Decision.Admitted(day, List.of(minute, day))))
        .containsExactly(
            "X-RateLimit-Limit: 1000",
            "X-RateLimit-Remaining: 40",
            "X-RateLimit-Reset: 3600",
            "RateLimit-Policy: \"per-minute\";q=100;w=60, \"per-day\";q=1000;w=86400",
            "RateLimit: \"per-minute\";r=60;t=20, \"per-day\";r=40;t=3600");
  }

  @Test
  void severalRules_oneUnknown_theKnownOneIsShown() {
    RuleDecision unknown =
        RuleDecision.builder(key("new"), PER_MINUTE, SECOND).remaining(1).known(false).build();
    RuleDecision minute = known("per-minute", PER_MINUTE, 60, 20 * SECOND);
    assertThat(lines(new Decision.Admitted(unknown, List.of(unknown, minute))))
        .contains(
            "X-RateLimit-Remaining: 60",
            "RateLimit-Policy: \"new\";q=100;w=60, \"per-minute\";q=100;w=60",
            "RateLimit: \"per-minute\";r=60;t=20");
  }

  @Test
  void shadowRule_doesNotShow() {
    RuleDecision shadow =
        RuleDecision.builder(key("trial"), PER_MINUTE, SECOND)
            .resetNanos(SECOND)
            .known(true)
            .shadow(true)
            .build();
    RuleDecision minute = known("per-minute", PER_MINUTE, 60, 20 * SECOND);
    assertThat(lines(new Decision.Admitted(shadow, List.of(shadow, minute))))
        .contains("X-RateLimit-Remaining: 60", "RateLimit: \"per-minute\";r=60;t=20");
    assertThat(RateLimitHeaders.of(new Decision.Admitted(shadow, List.of(shadow)))).isEmpty();
  }

  @Test
  void overspent_remainingIsZero() {
    assertThat(RateLimitHeaders.of(throttled(PER_MINUTE, -3, SECOND, SECOND)))
        .containsEntry("X-RateLimit-Remaining", "0")
        .containsEntry("RateLimit", "\"rule\";r=0;t=1");
  }

  @Test
  void period_notOfWholeSeconds_isLeftOut() {
    RuleDecision rule = known("rule", new FixedWindow(5, 1_500 * MILLI), 2, SECOND);
    assertThat(RateLimitHeaders.of(new Decision.Admitted(rule, List.of(rule))))
        .containsEntry("RateLimit-Policy", "\"rule\";q=5");
  }

  @Test
  void bucket_withALargerBurst_mayHaveMoreLeftThanItsLimit() {
    RuleDecision rule = known("rule", new TokenBucket(10, SECOND, 50), 45, SECOND);
    assertThat(RateLimitHeaders.of(new Decision.Admitted(rule, List.of(rule))))
        .containsEntry("X-RateLimit-Limit", "10")
        .containsEntry("RateLimit", "\"rule\";r=45;t=1");
  }

  @Test
  void policyNames_areTheCallers_andEscaped() {
    RuleDecision rule = known("rule", PER_MINUTE, 50, 30 * SECOND);
    Decision decision = new Decision.Admitted(rule, List.of(rule));
    assertThat(RateLimitHeaders.of(decision, id -> "a \"b\" \\ " + id))
        .containsEntry("RateLimit-Policy", "\"a \\\"b\\\" \\\\ posts/rule\";q=100;w=60")
        .containsEntry("RateLimit", "\"a \\\"b\\\" \\\\ posts/rule\";r=50;t=30");
  }

  @ParameterizedTest
  @ValueSource(strings = {"caf\u00e9", "a\nb", "a\u007f"})
  void policyNames_ofOtherCharacters_areRefused(String name) {
    Decision decision = throttled(PER_MINUTE, 0, SECOND, SECOND);
    assertThatThrownBy(() -> RateLimitHeaders.of(decision, id -> name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("must be printable ASCII: policy=");
  }

  @Test
  void headers_cannotBeChanged() {
    Map<String, String> headers = RateLimitHeaders.of(throttled(PER_MINUTE, 0, SECOND, SECOND));
    assertThatThrownBy(() -> headers.put("a", "b"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static List<String> lines(Decision decision) {
    return RateLimitHeaders.of(decision).entrySet().stream()
        .map(header -> header.getKey() + ": " + header.getValue())
        .toList();
  }

  private static Decision throttled(
      PermitsPerPeriod allowed, long remaining, long resetNanos, long retryAfterNanos) {
    return new Decision.Throttled(
        RuleDecision.builder(key("rule"), allowed, SECOND)
            .remaining(remaining)
            .resetNanos(resetNanos)
            .retryAfterNanos(retryAfterNanos)
            .known(true)
            .build());
  }

  private static RuleDecision known(
      String rule, PermitsPerPeriod allowed, long remaining, long resetNanos) {
    return RuleDecision.builder(key(rule), allowed, SECOND)
        .remaining(remaining)
        .resetNanos(resetNanos)
        .known(true)
        .build();
  }

  private static QuotaKey key(String rule) {
    return QuotaKey.of(new RuleId("posts", rule), List.of("42"));
  }
}
