package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.RateLimitHeaders;
import io.quotaenforcer.client.StandaloneAdmission;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeadersPageTest {
  @Test
  void throttledAnswer_hasTheHeadersOfThePage() {
    Rule rule =
        Rule.of(
            RuleId.parse("posts/posts-per-user"),
            List.of("user"),
            new FixedWindow(100, Duration.ofMinutes(1).toNanos()));
    ManualClock halfAMinute = new ManualClock(Instant.parse("2026-01-01T00:00:30Z"));
    StringBuilder headers = new StringBuilder();

    try (StandaloneAdmission admission =
        AdmissionClient.standalone(List.of(rule), halfAMinute.clocks())) {
      Request request = Request.of("user", "42");
      assertThat(admission.decide(request.withCost(100)).admitted()).isTrue();
      RateLimitHeaders.of(admission.decide(request))
          .forEach((name, value) -> headers.append(name).append(": ").append(value).append('\n'));
    }

    assertThat(MarkdownFile.read("topology-docs/headers.md").blocks("text"))
        .containsExactly(headers.toString());
  }
}
