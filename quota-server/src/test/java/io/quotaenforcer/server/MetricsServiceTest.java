package io.quotaenforcer.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

class MetricsServiceTest {
  private static final String TYPE = "text/plain";

  /** Has a gauge twice for some looks, as while it is being replaced. */
  private static final class Replacing extends PrometheusMeterRegistry {
    private int looksLeft;

    Replacing(int looks) {
      super(PrometheusConfig.DEFAULT);
      looksLeft = looks;
    }

    @Override
    public String scrape(String type) {
      if (looksLeft-- > 0) {
        throw new IllegalArgumentException("Duplicate labels for metric \"rebalances\": {}");
      }
      return "whole";
    }
  }

  @Test
  void gaugeThatIsBeingReplaced_isLookedAtAgain() {
    assertThat(MetricsService.scrape(new Replacing(3), TYPE)).isEqualTo("whole");
  }

  @Test
  void gaugeThatIsTwiceForGood_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MetricsService.scrape(new Replacing(1_000), TYPE))
        .withMessageContaining("rebalances");
  }
}
