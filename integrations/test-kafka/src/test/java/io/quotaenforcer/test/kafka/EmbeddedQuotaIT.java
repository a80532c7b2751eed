package io.quotaenforcer.test.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(270)
class EmbeddedQuotaIT {
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: orders, key: [user], enforcement: strict,
           limit: {permits: 5, per: 1d, algorithm: fixed-window}}
      """;

  @Test
  void twoClients_shareALimit_andAreCounted() throws Exception {
    Request order = Request.of("user", "42");
    try (EmbeddedQuota quota = EmbeddedQuota.start(RULES);
        AdmissionClient one = quota.client();
        AdmissionClient other = quota.client()) {
      int admitted = 0;
      for (int i = 0; i < 5; i++) {
        admitted += one.decide(order, Duration.ofSeconds(10)).admitted() ? 1 : 0;
        admitted += other.decide(order, Duration.ofSeconds(10)).admitted() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(5);
      assertThat(quota.awaitCounted("shop/orders", 5)).isEqualTo(5);
    }
  }

  @Test
  void rules_thatAreWrong_areRefusedBeforeAnythingStarts() {
    assertThatIllegalArgumentException().isThrownBy(() -> EmbeddedQuota.start("domain: shop"));
  }
}
