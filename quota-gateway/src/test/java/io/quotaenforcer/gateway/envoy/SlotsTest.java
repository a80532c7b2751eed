package io.quotaenforcer.gateway.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.envoy.GatewayLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A limit of how many run at a time: nobody tells a gateway when they end. */
class SlotsTest {
  private static final RuleId RULE = RuleId.parse("reports/exports");

  private static RateLimits limits(Set<RuleId> late) {
    ManualClock clock = new ManualClock(Instant.ofEpochSecond(2222));
    Rule slots = Rule.of(RULE, List.of("tenant"), new ConcurrencyLimit(2, 60_000_000_000L));
    return new RateLimits(
        AdmissionClient.standalone(List.of(slots), clock.clocks()),
        GatewayLimits.none(),
        new EnvoyOptions(Duration.ZERO, late, false));
  }

  private static String answer(RateLimits limits, String ask) {
    return RlsText.of(limits.decide(RlsText.request(ask)).join());
  }

  @Test
  void request_holdsItsSlots_noLongerThanItIsDecided() {
    RateLimits limits = limits(Set.of());
    for (int i = 0; i < 10; i++) {
      assertThat(answer(limits, "reports | tenant=acme")).startsWith("OK | OK 1 of 2/");
      assertThat(answer(limits, "reports +2 | tenant=acme")).startsWith("OK | OK 0 of 2/");
      assertThat(answer(limits, "reports +3 | tenant=acme")).startsWith("OVER_LIMIT | ");
    }
  }

  @Test
  void request_holdsItsSlots_noLonger_whereRefundsAreAskedOf() {
    RateLimits limits = limits(Set.of());
    for (int i = 0; i < 10; i++) {
      assertThat(answer(limits, "reports | tenant=acme -1")).startsWith("OK | OK 2 of 2/");
      assertThat(answer(limits, "reports | tenant=acme")).startsWith("OK | OK 1 of 2/");
    }
  }

  @Test
  void descriptors_ofOneRequest_holdTheirSlotsTogether() {
    RateLimits limits = limits(Set.of());
    for (int i = 0; i < 10; i++) {
      assertThat(answer(limits, "reports | tenant=acme; tenant=acme")).startsWith("OK | ");
      assertThat(answer(limits, "reports | tenant=acme; tenant=acme; tenant=acme"))
          .startsWith("OVER_LIMIT | ");
    }
  }

  @Test
  void lateHits_holdNothing() {
    RateLimits limits = limits(Set.of(RULE));
    for (int i = 0; i < 10; i++) {
      assertThat(answer(limits, "reports +5 | tenant=acme")).startsWith("OK | OK 2 of 2/");
    }
  }
}
