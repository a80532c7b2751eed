package io.quotaenforcer.bench.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.command.Report;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  @Test
  void scale_isWrittenForPrograms() {
    assertThat(Report.text(new GatewayScale(new WarmUp(5, 36), 4, 3)))
        .contains("\"seconds\" : 5", "\"most\" : 36", "\"rounds\" : 3");
  }

  private static final int SLICE = 1;

  @Test
  void serverThatGetsNoFaster_isWarm() throws InterruptedException {
    Iterator<Long> answered = List.of(10L, 50L, 90L, 100L, 103L, 99L, 101L, 100L, 110L).iterator();

    assertThat(new WarmUp(SLICE, 100).run(time -> answered.next())).isTrue();

    // 300 in three slices are within a twentieth of the 293 before.
    assertThat(answered).toIterable().containsExactly(110L);
  }

  @Test
  void serverThatGetsFasterAllTheTime_isGivenUp() throws InterruptedException {
    long[] answered = {1};

    assertThat(new WarmUp(SLICE, 20).run(time -> answered[0] *= 2)).isFalse();

    assertThat(answered[0]).isEqualTo(1L << 20);
  }

  @Test
  void serverThatDoesNotAnswer_isNotWarm() {
    assertThat(WarmUp.isSteady(List.of(0L, 0L, 0L, 0L, 0L, 0L))).isFalse();
  }
}
