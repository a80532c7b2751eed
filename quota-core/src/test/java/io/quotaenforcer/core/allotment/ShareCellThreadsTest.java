package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A rate share under real threads, each with clock readings that may be old when it takes. */
class ShareCellThreadsTest {
  private static final int TAKERS = 3;
  private static final int STEPS = 3_000;
  private static final long SECOND = 1_000_000_000L;
  private static final long PERMITS = 1_000;
  private static final long MILLIS = 5_000;
  private static final Limit BUCKET = new TokenBucket(1_000, SECOND, 100);

  /** An admitted request: the reading of the clock that it was decided by, and its cost. */
  private record Admitted(long at, long cost) {}

  @Test
  void takers_whileTheOwnerChangesTermsAndSeals_keepToTheLargestTerms_andAreCounted() {
    Seeded.check(
        20,
        random -> {
          AtomicLong clock = new AtomicLong();
          ShareCell share =
              new ShareCell(1, new RateShare(1, PERMITS, MILLIS), BUCKET, 0, Long.MAX_VALUE);
          List<Callable<List<Admitted>>> takers = new ArrayList<>();
          for (int i = 0; i < TAKERS; i++) {
            SplittableRandom mine = random.split();
            takers.add(() -> take(share, clock, mine));
          }
          SplittableRandom owners = random.split();
          CellUsage[] last = new CellUsage[1];
          Callable<List<Admitted>> owner =
              () -> {
                for (int number = 2; number < 200; number++) {
                  RateShare terms =
                      new RateShare(
                          number, owners.nextLong(PERMITS + 1), owners.nextLong(MILLIS + 1));
                  share.follow(terms, Long.MAX_VALUE, 0, clock.get());
                  Thread.yield();
                }
                share.seal(clock.get());
                last[0] = share.usage(Long.MAX_VALUE);
                return List.of();
              };
          takers.add(owner);
          List<Admitted> admitted = run(takers);
          checkRate(admitted);
          CellUsage usage = share.usage(Long.MAX_VALUE);
          long cost = admitted.stream().mapToLong(Admitted::cost).sum();
          assertThat(usage.taken()).as("final").isEqualTo(last[0].taken());
          assertThat(usage.taken() - usage.putBack() - usage.givenBack()).isEqualTo(cost);
        });
  }

  private static List<Admitted> take(ShareCell share, AtomicLong clock, SplittableRandom random) {
    List<Admitted> admitted = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      long now = clock.addAndGet(random.nextLong(SECOND / 4 / PERMITS));
      if (random.nextInt(8) == 0) {
        Thread.yield();
      }
      long cost = 1 + random.nextLong(2);
      if (share.tryTake(cost, now)) {
        if (random.nextInt(4) == 0) {
          share.putBack(cost, now);
        } else {
          admitted.add(new Admitted(now, cost));
        }
      }
    }
    return admitted;
  }

  /** In no time more than the largest burst and what comes at the largest rate. */
  private static void checkRate(List<Admitted> admitted) {
    admitted.sort((a, b) -> Long.compare(a.at, b.at));
    // In millionths of a permit; a bucket that is full at first.
    long level = MILLIS * 1_000;
    long before = 0;
    for (Admitted each : admitted) {
      level = Math.min(MILLIS * 1_000, level + (each.at - before) * PERMITS / 1_000 + 1);
      level -= each.cost * 1_000_000;
      before = each.at;
      assertThat(level).as("level at %d ns", each.at).isNotNegative();
    }
  }

  private static List<Admitted> run(List<Callable<List<Admitted>>> tasks) {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Admitted> all = new ArrayList<>();
      for (Future<List<Admitted>> each : threads.invokeAll(tasks)) {
        all.addAll(each.get());
      }
      return all;
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
  }
}
