package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StateClockTest {
  @Test
  void enforcerClock_showsEnforcerTime() {
    assertThat(StateClock.ENFORCER.at(100)).isEqualTo(100);
    assertThat(StateClock.ENFORCER.toEnforcer(100)).isEqualTo(100);
  }

  @Test
  void setBack_standsStillUntilTheTimeHasPassed_andThenLags() {
    StateClock clock = StateClock.ENFORCER.setBack(30, 100);

    assertThat(clock.at(100)).isEqualTo(100);
    assertThat(clock.at(130)).isEqualTo(100);
    assertThat(clock.at(131)).isEqualTo(101);
  }

  @Test
  void setBackTwice_lagsByBoth_andNeverRunsBackwards() {
    StateClock once = StateClock.ENFORCER.setBack(30, 100);
    StateClock twice = once.setBack(30, 150);

    assertThat(once.at(150)).isEqualTo(120);
    assertThat(twice.at(150)).isEqualTo(120);
    assertThat(twice.at(180)).isEqualTo(120);
    assertThat(twice.at(200)).isEqualTo(140);
  }

  @Test
  void setBack_whereTheSuccessorsClockIsAheadByAsMuch_showsNoMoreThanTrueTime() {
    long ahead = 30;
    StateClock clock = StateClock.ENFORCER.setBack(ahead, 100);

    for (long trueTime = 100; trueTime < 200; trueTime++) {
      assertThat(clock.at(trueTime + ahead)).isLessThanOrEqualTo(trueTime);
    }
  }

  @Test
  void toEnforcer_isWhenItShowsThat() {
    StateClock clock = StateClock.ENFORCER.setBack(30, 100);

    assertThat(clock.at(clock.toEnforcer(140))).isEqualTo(140);
    assertThat(clock.toEnforcer(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }
}
