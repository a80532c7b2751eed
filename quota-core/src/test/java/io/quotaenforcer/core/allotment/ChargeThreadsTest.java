package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Reservations by several threads at once: what they cost is taken, or owed, to the permit. */
class ChargeThreadsTest {
  private static final int THREADS = 3;
  private static final int REQUESTS = 200;

  @Test
  void settle_manyThreads_allActualCostIsTakenOrOwedAndNeverMoreThanGranted() {
    Seeded.check(
        20,
        random -> {
          long granted = 500 + random.nextInt(1_000);
          Limit limit = new FixedWindow(2_000, 1_000 * SECOND);
          TestBook client = new TestBook(strict(limit));
          client.admits();
          client.granted(client.grant(limit, 5, granted));
          AtomicLong actual = new AtomicLong();
          run(client, random, actual);

          RuleDecision last = client.decision();
          long looked = last.hadRoom() ? 1 : 0;
          client.passes(SECOND / 5);
          long used = client.openCell(5).used();
          assertThat(used).isLessThanOrEqualTo(granted);
          assertThat(used + last.owed()).isEqualTo(actual.get() + looked);
          assertThat(last.owed() == 0 || used == granted).as("%s", last).isTrue();
        });
  }

  private static void run(TestBook client, SplittableRandom random, AtomicLong actual) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    CountDownLatch start = new CountDownLatch(1);
    List<Future<?>> running = new ArrayList<>();
    try {
      for (int thread = 0; thread < THREADS; thread++) {
        SplittableRandom own = random.split();
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < REQUESTS; i++) {
                    actual.addAndGet(reserve(client, own));
                  }
                  return null;
                }));
      }
      start.countDown();
      for (Future<?> each : running) {
        each.get(30, TimeUnit.SECONDS);
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Charges an estimate and settles it; the permits that it cost in the end. */
  private static long reserve(TestBook client, SplittableRandom random) {
    long estimate = 1 + random.nextInt(5);
    Charge charge = client.charge(estimate);
    if (!charge.decision().admitted()) {
      return 0;
    }
    long actual = random.nextInt(9);
    return charge.settle(actual, client.now) ? actual : 0;
  }
}
