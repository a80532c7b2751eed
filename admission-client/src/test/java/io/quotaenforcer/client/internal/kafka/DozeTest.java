package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DozeTest {
  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);
  private static final int ROUNDS = 20_000;

  private final Doze doze = new Doze();

  @Test
  void withoutReason_itDoesNotBegin() {
    assertThat(doze.begin(HOUR_MILLIS, () -> false)).isFalse();
  }

  @Test
  void itEnds_whenTheTimeIsUp() {
    assertThat(doze.begin(1, () -> true)).isTrue();
  }

  /** Each round would rest for an hour, were the end of the one before missed. */
  @Test
  void end_isNeverMissed() throws InterruptedException {
    AtomicInteger work = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    Thread worker =
        new Thread(
            () -> {
              while (done.get() < ROUNDS) {
                doze.begin(HOUR_MILLIS, () -> work.get() == done.get());
                done.set(work.get());
              }
            });
    worker.setDaemon(true);
    worker.start();

    for (int round = 1; round <= ROUNDS; round++) {
      work.set(round);
      doze.end();
      while (done.get() < round) {
        Thread.onSpinWait();
      }
    }
    worker.join();
  }
}
