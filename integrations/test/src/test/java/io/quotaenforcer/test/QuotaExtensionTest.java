package io.quotaenforcer.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.StandaloneAdmission;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@QuotaRules(
    """
    domain: shop
    rules:
      - {id: orders, key: [user], limit: {permits: 2, per: 1s, algorithm: fixed-window}}
    """)
class QuotaExtensionTest {
  private static final Request ORDER = Request.of("user", "42");

  @Test
  void admitsUpToTheLimit_andAgainInTheNextWindow(Admission admission, ManualClock clock) {
    assertThat(admission.tryAcquire(ORDER)).isTrue();
    assertThat(admission.tryAcquire(ORDER)).isTrue();
    assertThat(admission.tryAcquire(ORDER)).isFalse();

    clock.advance(Duration.ofSeconds(1));

    assertThat(admission.tryAcquire(ORDER)).isTrue();
  }

  @RepeatedTest(2)
  void eachTest_hasPermitsOfItsOwn(Admission admission) {
    assertThat(admission.tryAcquire(ORDER.withCost(2))).isTrue();
  }

  @Test
  @QuotaRules(
      """
      domain: shop
      rules:
        - {id: orders, key: [user], limit: {permits: 1, per: 1s}}
      """)
  void rulesOfAMethod_areInsteadOfItsClasses(StandaloneAdmission admission) {
    assertThat(admission.tryAcquire(ORDER)).isTrue();
    assertThat(admission.tryAcquire(ORDER)).isFalse();
  }

  @Nested
  class Inside {
    @Test
    void nestedClasses_haveTheRulesOfThoseAround(Admission admission) {
      assertThat(admission.rules().rules()).hasSize(1);
    }
  }
}
