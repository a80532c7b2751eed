package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentFailuresTest {
  private static final long SECOND = 1_000_000_000L;

  private long now = -5 * SECOND;
  private final RecentFailures failures = new RecentFailures(() -> now);

  @Test
  void failures_fewOrFarApart_areNotSaid() {
    for (int i = 0; i < 10; i++) {
      failures.add(new IllegalStateException("now and then"));
      now += 31 * SECOND;
      assertThat(failures.many()).isEmpty();
    }
  }

  @Test
  void failures_manyInAMinute_areSaidWithTheirCauseUntilTheyEnd() {
    for (int i = 0; i < RecentFailures.MANY; i++) {
      assertThat(failures.many()).isEmpty();
      failures.add(new RuntimeException("wrapped", new IllegalStateException("too large")));
      now += 10 * SECOND;
    }

    assertThat(failures.many())
        .hasValueSatisfying(
            why -> assertThat(why).contains("3 times", "IllegalStateException: too large"));
    now += 11 * SECOND;
    assertThat(failures.many()).isEmpty();
  }

  @Test
  void failures_goOnSlowly_areSaidBetweenThem() {
    for (int i = 0; i < 10; i++) {
      failures.add(new IllegalStateException("the same record"));
      now += 19 * SECOND;
      assertThat(failures.many().isPresent()).as("%d", i).isEqualTo(i >= RecentFailures.MANY - 1);
    }
  }
}
