package io.quotaenforcer.enforcer.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.backtest.EventBacktests.Audience;
import io.quotaenforcer.enforcer.backtest.EventBacktests.Bounds;
import io.quotaenforcer.enforcer.backtest.EventBacktests.Question;
import io.quotaenforcer.enforcer.backtest.EventsReport.Stop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BoundedRunTest {
  private static final Instant FROM = Instant.ofEpochSecond(1_000_000);
  private static final long MICROS = 1_000_000L * 1_000_000L;
  private static final Question QUESTION =
      new Question(List.of(), List.of(), FROM, FROM.plusSeconds(100));

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong restedNanos = new AtomicLong();
  private final List<Double> heard = new ArrayList<>();
  private boolean isThere = true;

  private final Audience audience =
      new Audience() {
        @Override
        public boolean waits() {
          return isThere;
        }

        @Override
        public void hears(long events, double share) {
          heard.add(share);
        }
      };

  private final BoundedRun run =
      new BoundedRun(
          QUESTION,
          new Bounds(10_000, Duration.ofSeconds(10)),
          audience,
          nanos::get,
          length -> {
            restedNanos.addAndGet(length);
            nanos.addAndGet(length);
          });

  @Test
  void run_restsAsLongAsItWorks() {
    for (int i = 0; i < 5_000; i++) {
      nanos.addAndGet(1_000);
      run.read();
    }
    assertThat(restedNanos.get()).isEqualTo(5_000_000L);
    assertThat(nanos.get()).isEqualTo(10_000_000L);
  }

  @Test
  void run_tellsFourTimesASecond_howMuchOfTheSpanItSaw() {
    for (int i = 1; i <= 100; i++) {
      run.heard(MICROS + i * 1_000_000L / 2);
      nanos.addAndGet(10_000_000L);
      assertThat(run.goesOn()).isTrue();
    }
    assertThat(heard).containsExactly(0.125, 0.25, 0.375, 0.5);
    assertThat(run.seen().stop()).isEqualTo(Stop.NONE);
    assertThat(run.seen().share()).isEqualTo(1);
  }

  @Test
  void run_endsByTime_withTheShareThatItSaw() {
    run.heard(MICROS + 25_000_000L);
    nanos.set(9_999_999_999L);
    assertThat(run.goesOn()).isTrue();
    nanos.set(10_000_000_000L);
    assertThat(run.goesOn()).isFalse();
    assertThat(run.seen().stop()).isEqualTo(Stop.TIME);
    assertThat(run.seen().share()).isEqualTo(0.25);
  }

  @Test
  void run_endsWithItsAudience() {
    isThere = false;
    assertThat(run.goesOn()).isFalse();
    assertThat(run.seen().stop()).isEqualTo(Stop.LEFT);
  }

  @Test
  void eventOfTheFuture_isNoMoreThanTheWholeSpan() {
    run.heard(MICROS + 900_000_000L);
    nanos.set(300_000_000L);
    run.goesOn();
    assertThat(heard).containsExactly(1.0);
  }
}
