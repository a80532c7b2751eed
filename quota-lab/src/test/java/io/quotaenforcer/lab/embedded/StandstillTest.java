package io.quotaenforcer.lab.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StandstillTest {
  @Test
  void value_thatStillChanges_doesNotStandStillHoweverLongItTakes() {
    Standstill<String> standstill = new Standstill<>(100);

    assertThat(standstill.isReached("a", 1_000)).isFalse();
    assertThat(standstill.isReached("a", 1_099)).isFalse();
    assertThat(standstill.isReached("b", 1_100)).isFalse();
    assertThat(standstill.isReached("b", 1_199)).isFalse();
    assertThat(standstill.isReached("b", 1_200)).isTrue();
  }
}
