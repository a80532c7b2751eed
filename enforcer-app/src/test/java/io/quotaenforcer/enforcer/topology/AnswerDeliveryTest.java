package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class AnswerDeliveryTest {
  private static final long SECOND = 1_000_000_000L;

  private final AnswerDelivery delivery = new AnswerDelivery();

  private void fail(long second) {
    delivery.failed(new TimeoutException("no leader"), second * SECOND);
  }

  @Test
  void trouble_failuresForAWhile_saysForHowLongAndWhy() {
    fail(1);
    assertThat(delivery.trouble(2 * SECOND)).isEmpty();

    fail(3);
    assertThat(delivery.trouble(3 * SECOND))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .startsWith("no answer could be sent for 2.0 s")
                    .endsWith("leader"));
  }

  @Test
  void trouble_anAnswerSent_isOver() {
    fail(1);
    fail(3);
    delivery.sent();

    assertThat(delivery.trouble(4 * SECOND)).isEmpty();
  }

  @Test
  void trouble_nothingTriedForLong_saysNothingOfNow_andBeginsAnew() {
    fail(1);
    fail(3);
    assertThat(delivery.trouble(13 * SECOND)).isEmpty();

    fail(14);
    assertThat(delivery.trouble(14 * SECOND)).isEmpty();
  }
}
