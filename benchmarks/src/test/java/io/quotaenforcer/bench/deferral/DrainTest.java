package io.quotaenforcer.bench.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DrainTest {
  @Test
  void rate_isThatOfTheMiddle_notOfTheStartAndTheEnd() {
    Drain drain = new Drain(10);
    long[] seconds = {0, 50, 51, 52, 53, 54, 55, 56, 90, 99};
    for (long second : seconds) {
      assertThat(drain.perSecond()).isEqualTo(drain.seen() < 8 ? 0 : 1);
      drain.seen(second * 1_000_000_000L);
    }

    assertThat(drain.seen()).isEqualTo(10);
    assertThat(drain.perSecond()).isEqualTo(1);
  }
}
