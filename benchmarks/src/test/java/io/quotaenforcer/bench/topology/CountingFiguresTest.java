package io.quotaenforcer.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.figures.Targets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountingFiguresTest {
  private static final CountedInput EVENTS = new CountedInput(1_000, 1_000, 1_000);
  private static final CountedInput REPORTS = new CountedInput(10, 1_000, 100_000);

  @Test
  void counters_areComparedByWhatTheyTakeInASecond() {
    Targets targets = new Targets();
    CountingFigures figures =
        new CountingFigures(
            List.of(
                result(Counter.PLAIN, Load.UNIFORM, EVENTS, 1_000),
                result(Counter.EVENTS, Load.UNIFORM, EVENTS, 499),
                result(Counter.REPORTS, Load.UNIFORM, REPORTS, 16)));

    figures.addTo(targets);

    assertThat(targets.shortOf())
        .containsExactly(
            "(b) events per second to (a) events, uniform: 0.50, must be at least 0.50");
    assertThat(figures.describe()).anyMatch(line -> line.contains("1,600 cell updates"));
  }

  @Test
  void plainCount_thatRanTwice_isOneThatTookAsLong() {
    Targets targets = new Targets();
    CountingFigures figures =
        new CountingFigures(
            List.of(
                result(Counter.PLAIN, Load.UNIFORM, EVENTS, 1_000),
                result(Counter.EVENTS, Load.UNIFORM, EVENTS, 500),
                result(Counter.PLAIN, Load.UNIFORM, EVENTS, 600)));

    figures.addTo(targets);

    assertThat(targets.shortOf()).isEmpty();
    assertThat(figures.results()).hasSize(2);
    assertThat(figures.describe()).anyMatch(line -> line.contains("800 events    1.00"));
    assertThat(figures.describe()).anyMatch(line -> line.contains("0.63"));
  }

  @Test
  void hotKey_isComparedWithTheUniformLoad() {
    Targets targets = new Targets();
    new CountingFigures(
            List.of(
                result(Counter.EVENTS, Load.UNIFORM, EVENTS, 1_000),
                result(Counter.EVENTS, Load.ONE_HOT_KEY, EVENTS, 600)))
        .addTo(targets);

    assertThat(targets.shortOf())
        .containsExactly(
            "(b) request events, nine tenths on one key to uniform: 0.60, must be at least 0.70");
  }

  @Test
  void permitsThatWereNotCounted_areShort() {
    Targets targets = new Targets();
    DrainResult drain = new DrainResult(Instant.EPOCH, 500, 1, Duration.ZERO, Duration.ZERO);
    new CountingFigures(
            List.of(new CountingResult(Counter.EVENTS, Load.UNIFORM, EVENTS, drain, 500, 3, 0.5)))
        .addTo(targets);

    assertThat(targets.shortOf())
        .containsExactly(
            "(b) request events, uniform: permits counted to those there were: 0.50, must be at"
                + " least 1",
            "(b) request events, uniform: newest answers that grant or renew: 0.50, must be at"
                + " least 0.90",
            "(b) request events, uniform: answers lost: 3, must be at most 0");
  }

  private static CountingResult result(
      Counter counter, Load load, CountedInput input, long recordsPerSecond) {
    DrainResult drain =
        new DrainResult(
            Instant.EPOCH, recordsPerSecond, 1, Duration.ofMillis(100), Duration.ofMillis(10));
    return new CountingResult(counter, load, input, drain, input.inputPermits(), 0, 1);
  }
}
