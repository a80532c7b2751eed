package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CoarseClockTest {
  private final AtomicLong exact = new AtomicLong(1);
  private final AtomicLong readings = new AtomicLong();
  private final CoarseClock clock =
      new CoarseClock(
          () -> {
            readings.incrementAndGet();
            return exact.get();
          },
          "test");

  @AfterEach
  void close() {
    clock.close();
  }

  private void awaitSleep() {
    await()
        .until(
            () -> {
              long before = readings.get();
              clock.getAsLong();
              return readings.get() == before + 1;
            });
  }

  @Test
  void question_whileFewAsk_isAnsweredByTheTrueClock() {
    awaitSleep();

    exact.set(42);

    assertThat(clock.getAsLong()).isEqualTo(42);
  }

  @Test
  void questions_whileManyAsk_areAnsweredWithoutTheTrueClockAndFollowIt() {
    await()
        .until(
            () -> {
              long before = readings.get();
              for (int i = 0; i < 1_000; i++) {
                clock.getAsLong();
              }
              return readings.get() - before < 100;
            });

    exact.set(43);

    await().until(() -> clock.getAsLong() == 43);
  }

  @Test
  void clock_whoseThreadMeetsAnError_doesNotStandStill() {
    AtomicLong ticks = new AtomicLong();
    CoarseClock failing =
        new CoarseClock(
            () -> {
              boolean isTick = Thread.currentThread().getName().equals("quota-clock-failing");
              if (isTick && ticks.incrementAndGet() > 1) {
                throw new NoClassDefFoundError("of another version");
              }
              return exact.get();
            },
            "failing");
    await()
        .until(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                failing.getAsLong();
              }
              return ticks.get() > 1;
            });

    exact.set(45);

    await().until(() -> failing.getAsLong() == 45);
  }

  @Test
  void closedClock_isTheTrueOne() {
    for (int i = 0; i < 1_000; i++) {
      clock.getAsLong();
    }
    clock.close();
    exact.set(44);

    await().until(() -> clock.getAsLong() == 44);
  }
}
