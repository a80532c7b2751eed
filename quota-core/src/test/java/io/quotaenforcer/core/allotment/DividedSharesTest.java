package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.RateShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shares of a limit whose terms add up to it, beside the limit kept by one: whatever is taken of
 * them, the one would have let through, too.
 */
class DividedSharesTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;

  /** On a border of every limit. */
  private static final long START = 1_000 * SECOND;

  static Stream<Limit> limits() {
    return Stream.of(
        new SlidingLog(60, SECOND, false),
        new SlidingLog(1_000, 777 * MILLI, false),
        new SlidingSubWindows(60, SECOND, 10),
        new SlidingSubWindows(900, SECOND, 2),
        new SlidingWindow(60, SECOND),
        new SlidingWindow(2_000, SECOND),
        new IntervalBucket(40, SECOND, 100, 100),
        new IntervalBucket(40, SECOND, 20, 20),
        new TokenBucket(60, SECOND, 20));
  }

  /** A request that got permits: the clock reading that it was decided by, and its cost. */
  private record Taken(long at, long cost) {}

  @ParameterizedTest
  @MethodSource("limits")
  void sharesThatAddUp_anyRequests_areLetThroughByTheWhole(Limit limit) {
    Seeded.check(
        60,
        random -> {
          List<ShareCell> shares = divided(limit, 1 + random.nextInt(5), random);
          List<Taken> taken = new ArrayList<>();
          long now = START;
          for (int i = 0; i < 3_000; i++) {
            now += random.nextInt(10) == 0 ? random.nextLong(SECOND) : random.nextLong(20 * MILLI);
            long late = random.nextInt(20) == 0 ? random.nextLong(SECOND / 2) : 0;
            ShareCell share = shares.get(random.nextInt(shares.size()));
            long cost = 1 + random.nextLong(4);
            long at = Math.max(START, now - late);
            if (share.tryTake(cost, at)) {
              if (random.nextInt(5) == 0) {
                share.putBack(cost, at);
              } else {
                taken.add(new Taken(at, cost));
              }
            }
          }
          check(limit, taken);
        });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void sharesThatAddUp_threadsWithOldClockReadings_areLetThroughByTheWhole(Limit limit) {
    Seeded.check(
        10,
        random -> {
          List<ShareCell> shares = divided(limit, 2, random);
          AtomicLong clock = new AtomicLong(START);
          List<List<Taken>> taken = new ArrayList<>();
          List<Thread> threads = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            ShareCell share = shares.get(i % shares.size());
            SplittableRandom mine = random.split();
            List<Taken> mineTaken = new ArrayList<>();
            taken.add(mineTaken);
            threads.add(new Thread(() -> take(share, clock, mine, mineTaken)));
          }
          threads.forEach(Thread::start);
          for (Thread thread : threads) {
            join(thread);
          }
          check(limit, taken.stream().flatMap(List::stream).toList());
        });
  }

  @ParameterizedTest
  @MethodSource("limits")
  void wholeAsOneShare_moreIsAskedForThanThereIs_letsThroughNearlyAll(Limit limit) {
    ShareCell share = divided(limit, 1, new SplittableRandom(1)).get(0);
    LimitState whole = limit.initial(START);
    long letThrough = 0;
    long byShare = 0;
    // The share of a bucket begins empty.
    long from = START + 2 * SECOND;
    for (long now = START; now < START + 60 * SECOND; now += MILLI) {
      whole = limit.advance(whole, now);
      while (limit.available(whole, now) >= 1) {
        whole = limit.book(whole, 1, now);
        letThrough += now < from ? 0 : 1;
      }
      while (share.tryTake(1, now)) {
        byShare += now < from ? 0 : 1;
      }
    }
    assertThat(byShare).isBetween((long) (0.97 * letThrough), letThrough + 1);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void share_waitedForAsItSays_hasPermitsThen_andNotBefore(Limit limit) {
    Seeded.check(
        30,
        random -> {
          ShareCell share = divided(limit, 1, random).get(0);
          long now = START + 5 * SECOND;
          for (int i = 0; i < 300; i++) {
            long cost = 1 + random.nextLong(Math.min(20, limit.capacity()));
            if (!share.tryTake(cost, now)) {
              long wait = share.nanosUntil(cost, now);
              assertThat(share.roomAt(now + wait - 2)).isLessThan(cost);
              now += wait;
              assertThat(share.tryTake(cost, now)).isTrue();
            }
            now += random.nextLong(20 * MILLI);
          }
        });
  }

  private static List<ShareCell> divided(Limit limit, int parts, SplittableRandom random) {
    List<ShareCell> shares = new ArrayList<>();
    long permits = limit.permits();
    long millis = limit.capacity() * 1_000;
    for (int i = 1; i <= parts; i++) {
      boolean last = i == parts;
      long of = last ? permits : permits / parts / 2 + random.nextLong(1 + permits / parts / 2);
      long burst = last ? millis : millis / parts / 2 + random.nextLong(1 + millis / parts / 2);
      permits -= of;
      millis -= burst;
      shares.add(
          new ShareCell(
              i,
              new RateShare(1, of, burst),
              limit,
              new ShareCell.Border(START, START, START),
              START,
              START,
              Long.MAX_VALUE));
    }
    return shares;
  }

  private static void take(
      ShareCell share, AtomicLong clock, SplittableRandom random, List<Taken> taken) {
    for (int i = 0; i < 4_000; i++) {
      long now = clock.addAndGet(random.nextLong(3 * MILLI));
      if (random.nextInt(8) == 0) {
        Thread.yield();
      }
      long cost = 1 + random.nextLong(2);
      if (share.tryTake(cost, now)) {
        if (random.nextInt(6) == 0) {
          share.putBack(cost, now);
        } else {
          taken.add(new Taken(now, cost));
        }
      }
    }
  }

  /** By their clock readings, which count as the times of admission. */
  private static void check(Limit limit, List<Taken> taken) {
    LimitState whole = limit.initial(START);
    for (Taken each : taken.stream().sorted(Comparator.comparingLong(Taken::at)).toList()) {
      whole = limit.advance(whole, each.at);
      assertThat(limit.available(whole, each.at))
          .as("left at %d", each.at)
          .isGreaterThanOrEqualTo(each.cost);
      whole = limit.book(whole, each.cost, each.at);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
