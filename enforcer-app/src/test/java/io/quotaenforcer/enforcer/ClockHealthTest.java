package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.server.Health;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClockHealthTest {
  private static final Optional<String> SET_BACK = Optional.of("set back by an hour");
  private static final Health STARTING = new Health.Starting("taking over");

  @Test
  void ready_hostsClockSetBack_isReady() {
    assertThat(ClockHealth.of(new Health.Ready(), SET_BACK)).isEqualTo(new Health.Ready());
  }

  @Test
  void outOfItsGroup_hostsClockSetBack_isToBeRestarted() {
    assertThat(ClockHealth.of(STARTING, SET_BACK))
        .isEqualTo(new Health.Failed("set back by an hour"));
    assertThat(ClockHealth.of(new Health.Failing("silent"), SET_BACK))
        .isEqualTo(new Health.Failed("set back by an hour"));
    assertThat(ClockHealth.of(STARTING, Optional.empty())).isEqualTo(STARTING);
  }
}
