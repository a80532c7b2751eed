package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import org.junit.jupiter.api.Test;

class BoundTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Limit WINDOW = new FixedWindow(1_000, SECOND);

  @Test
  void openingCredit_isATenthSharedAmongAll_atLeastOne_atMostWhatTheLimitHolds() {
    assertThat(Bound.openingCredit(WINDOW, 10)).isEqualTo(10);
    assertThat(Bound.openingCredit(WINDOW, 1_000)).isEqualTo(1);
    assertThat(Bound.openingCredit(new TokenBucket(1_000, SECOND, 4), 10)).isEqualTo(4);
    assertThat(Bound.openingCredit(new FixedWindow(0, SECOND), 10)).isZero();
  }

  @Test
  void bound_strict_isNothing_balanced_isACreditForEach() {
    assertThat(Bound.connected(Enforcement.STRICT, WINDOW, 3, 10)).isZero();
    assertThat(Bound.connected(Enforcement.BALANCED, WINDOW, 3, 10)).isEqualTo(30);
  }

  @Test
  void bound_perInstance_isWhatEachButOneAdmitsInAPeriod() {
    Limit bucket = new TokenBucket(100, SECOND, 20);

    assertThat(Bound.connected(Enforcement.PER_INSTANCE, WINDOW, 3, 10)).isEqualTo(2_000);
    assertThat(Bound.connected(Enforcement.PER_INSTANCE, bucket, 3, 10)).isEqualTo(240);
    assertThat(Bound.connected(Enforcement.PER_INSTANCE, WINDOW, 0, 10)).isZero();
  }
}
