package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.message.CellUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A cell under real threads: whatever interleaves, never over what is granted, and all adds up. */
class CellThreadsTest {
  private static final int TAKERS = 3;
  private static final int STEPS = 3_000;
  private static final Spreading SPREADING = new Spreading(4, 0, 1);

  /** Permits that the takers hold by their own account. */
  private static final class Held {
    final AtomicLong now = new AtomicLong();
    final AtomicLong most = new AtomicLong();
    final AtomicLong taken = new AtomicLong();
    final AtomicLong putBack = new AtomicLong();
    final AtomicLong refused = new AtomicLong();

    void take(long permits) {
      taken.addAndGet(permits);
      most.accumulateAndGet(now.addAndGet(permits), Math::max);
    }

    void putBack(long permits) {
      now.addAndGet(-permits);
      putBack.addAndGet(permits);
    }
  }

  @Test
  void takeAndPutBack_whileTheOwnerGivesBackAndRenews_neverOverWhatIsGranted() {
    Seeded.check(
        20,
        random -> {
          LeaseCell cell = new LeaseCell(1, 0, 5, 0, Long.MAX_VALUE);
          Held held = new Held();
          AtomicLong granted = new AtomicLong(5);
          AtomicBoolean done = new AtomicBoolean();
          SplittableRandom owners = random.split();
          boolean spreads = random.nextBoolean();
          Callable<Long> owner =
              () -> {
                long givenBack = 0;
                while (!done.get()) {
                  givenBack += cell.giveBack(owners.nextLong(3));
                  if (spreads) {
                    cell.spread(SPREADING);
                  }
                  if (granted.get() < 2_000) {
                    cell.renew(granted.addAndGet(owners.nextLong(3)), 0, Long.MAX_VALUE);
                  }
                  cell.usage(Long.MIN_VALUE);
                }
                return givenBack;
              };
          long givenBack = run(takers(cell, held, random), owner, done);
          CellUsage usage = cell.usage(Long.MIN_VALUE);
          assertThat(held.most.get()).isLessThanOrEqualTo(granted.get());
          assertThat(held.now.get() + givenBack).isLessThanOrEqualTo(granted.get());
          assertThat(usage.taken()).isEqualTo(held.taken.get() + givenBack);
          assertThat(usage.putBack()).isEqualTo(held.putBack.get());
          assertThat(usage.givenBack()).isEqualTo(givenBack);
          assertThat(usage.throttled()).isEqualTo(held.refused.get());
          assertThat(usage.used()).isEqualTo(held.now.get());
        });
  }

  @Test
  void takeAndPutBack_whileTheOwnerCloses_everythingTakenIsInTheFinalCounts() {
    Seeded.check(
        60,
        random -> {
          boolean unlimited = random.nextBoolean();
          boolean spreads = random.nextBoolean();
          Cell cell =
              unlimited ? new CountingCell(-1, 0) : new LeaseCell(1, 0, 50, 0, Long.MAX_VALUE);
          Held held = new Held();
          long after = random.nextLong(unlimited ? 5_000 : 100);
          AtomicBoolean done = new AtomicBoolean();
          Callable<Long> owner =
              () -> {
                while (held.taken.get() < after && !done.get()) {
                  if (spreads) {
                    cell.spread(SPREADING);
                  }
                  Thread.onSpinWait();
                }
                cell.seal(1);
                return cell.usage(1).taken();
              };
          long taken = run(takers(cell, held, random), owner, done);
          CellUsage usage = cell.usage(1);
          assertThat(usage.taken()).as("final").isEqualTo(taken);
          assertThat(usage.taken() - usage.givenBack()).isEqualTo(held.taken.get());
          assertThat(usage.used()).isEqualTo(held.now.get());
        });
  }

  private static List<Callable<Void>> takers(Cell cell, Held held, SplittableRandom random) {
    List<Callable<Void>> takers = new ArrayList<>();
    for (int t = 0; t < TAKERS; t++) {
      SplittableRandom mine = random.split();
      takers.add(
          () -> {
            for (int i = 0; i < STEPS; i++) {
              long permits = 1 + mine.nextLong(3);
              if (cell.tryTake(permits, 0)) {
                held.take(permits);
                if (mine.nextInt(4) != 0) {
                  held.putBack(permits);
                  cell.putBack(permits, 0);
                }
              } else {
                cell.refuse(permits);
                held.refused.addAndGet(permits);
              }
            }
            return null;
          });
    }
    return takers;
  }

  private static long run(List<Callable<Void>> takers, Callable<Long> owner, AtomicBoolean done) {
    ExecutorService threads = Executors.newFixedThreadPool(takers.size() + 1);
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<Void>> running = new ArrayList<>();
      for (Callable<Void> taker : takers) {
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return taker.call();
                }));
      }
      Future<Long> owned = threads.submit(owner);
      start.countDown();
      for (Future<Void> each : running) {
        each.get();
      }
      done.set(true);
      return owned.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
  }
}
