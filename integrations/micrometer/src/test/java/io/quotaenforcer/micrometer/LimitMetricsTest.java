package io.quotaenforcer.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LimitCause;
import io.quotaenforcer.core.adapt.LimitInForce;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LimitMetricsTest {
  private static final RuleId RULE = new RuleId("shop", "each-instance");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LimitMetrics metrics = new LimitMetrics(registry);

  private void hears(int basisPoints) {
    metrics.limitInForce(
        RULE, Optional.of(new LimitInForce(basisPoints, LimitCause.LOWERED, "cpu > 80%", 0)));
  }

  @Test
  void part_isThatOfTheLastChange_asLongAsTheRuleFollowsTheLoad() {
    hears(10_000);
    hears(5_000);
    assertThat(
            registry
                .get("rate_limiting.limit.in_force")
                .tag("policy", "shop/each-instance")
                .gauge()
                .value())
        .isEqualTo(0.5);

    metrics.limitInForce(RULE, Optional.empty());
    assertThat(registry.getMeters()).isEmpty();

    hears(2_500);
    assertThat(registry.get("rate_limiting.limit.in_force").gauge().value()).isEqualTo(0.25);
  }
}
