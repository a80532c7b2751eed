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
      failures.add(new IllegalStateException("now and then"), false);
      now += 31 * SECOND;
      assertThat(failures.many()).isEmpty();
    }
  }

  @Test
  void failures_manyInAMinute_areSaidWithTheirCauseUntilTheyEnd() {
    for (int i = 0; i < RecentFailures.MANY; i++) {
      assertThat(failures.many()).isEmpty();
      failures.add(new RuntimeException("wrapped", new IllegalStateException("too large")), false);
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
      failures.add(new IllegalStateException("the same record"), false);
      now += 19 * SECOND;
      assertThat(failures.many().isPresent()).as("%d", i).isEqualTo(i >= RecentFailures.MANY - 1);
    }
  }

  @Test
  void failures_forFiveMinutesWithoutAPause_areALoop_unlessBrokersAreToBlame() {
    for (int i = 0; i <= 20; i++) {
      assertThat(failures.loop()).as("%d", i).isEmpty();
      failures.add(new IllegalStateException("a broken store"), i % 3 == 0);
      now += 15 * SECOND;
    }

    assertThat(failures.loop())
        .hasValueSatisfying(why -> assertThat(why).contains("5 minutes, 21 times", "broken store"));
    now += 6 * SECOND;
    assertThat(failures.loop()).isEmpty();

    for (int i = 0; i <= 30; i++) {
      failures.add(new IllegalStateException("no broker"), i % 3 > 0);
      now += 15 * SECOND;
      assertThat(failures.loop()).isEmpty();
    }
  }
}
