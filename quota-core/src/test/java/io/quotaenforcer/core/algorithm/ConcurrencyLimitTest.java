package io.quotaenforcer.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Slots come back by being given back, not with time. */
class ConcurrencyLimitTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_700_000_000L * SECOND;
  private static final ConcurrencyLimit LIMIT = new ConcurrencyLimit(20, 60 * SECOND);

  @Test
  void slots_areThereAgain_onceTheyAreGivenBack() {
    LimitState held = LIMIT.book(LIMIT.initial(START), 20, START);
    assertThat(LIMIT.available(held, START)).isZero();
    assertThat(LIMIT.available(LIMIT.unbook(held, 3, START), START)).isEqualTo(3);
  }

  @Test
  void slots_doNotRenewWithTime() {
    LimitState held = LIMIT.book(LIMIT.initial(START), 20, START);
    long later = START + 3600 * SECOND;
    assertThat(LIMIT.available(LIMIT.advance(held, later), later)).isZero();
    assertThat(LIMIT.forgettableAt(held, later)).isGreaterThan(later);
  }

  @Test
  void moreThanIsHeld_cannotComeBack() {
    LimitState none = LIMIT.unbook(LIMIT.book(LIMIT.initial(START), 2, START), 5, START);
    assertThat(LIMIT.available(none, START)).isEqualTo(20);
  }

  @Test
  void moreThanTheLimit_isNeverAvailable() {
    assertThat(LIMIT.availableAt(LIMIT.initial(START), 21, START)).isEqualTo(Long.MAX_VALUE);
    assertThat(LIMIT.availableAt(LIMIT.initial(START), 20, START)).isEqualTo(START);
  }

  @Test
  void otherNumbers_countAlike_andOtherAlgorithmsDoNot() {
    assertThat(LIMIT.countsAlike(new ConcurrencyLimit(5, SECOND))).isTrue();
    assertThat(LIMIT.countsAlike(new FixedWindow(20, 60 * SECOND))).isFalse();
    assertThat(LIMIT.terms().toLimit()).isEqualTo(LIMIT);
  }

  @Test
  void holdOfNoTime_isRefused() {
    assertThatThrownBy(() -> new ConcurrencyLimit(20, 99_999_999))
        .hasMessage("must be between 100 ms and 24 hours: maxHoldNanos=99999999");
    assertThatThrownBy(() -> new ConcurrencyLimit(20, 24 * 3600 * SECOND + 1))
        .hasMessageContaining("maxHoldNanos=");
  }
}
