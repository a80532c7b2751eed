package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.AddingThreads.untilAllHaveEnded;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

/** Sums that threads add to: nothing is lost, whoever owns a place and whoever comes to it. */
class ThreadCountsTest {
  private static final int SUMS = 3;
  private static final int STEPS = 20_000;

  private final AtomicLongArray expected = new AtomicLongArray(SUMS);

  @Test
  void add_manyThreadsAtFewPlaces_losesNothing() {
    Seeded.check(
        20,
        random -> {
          ThreadCounts counts = new ThreadCounts(SUMS, 1 << random.nextInt(3));
          untilAllHaveEnded(adding(counts, 2 + random.nextInt(4), random));
          for (int sum = 0; sum < SUMS; sum++) {
            assertThat(counts.get(sum)).as("sum %d", sum).isEqualTo(expected.getAndSet(sum, 0));
          }
        });
  }

  @Test
  void add_oneThreadAfterTheOther_eachGoesOnWhereTheOneBeforeEnded() {
    ThreadCounts counts = new ThreadCounts(SUMS, 1);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 5; i++) {
      untilAllHaveEnded(adding(counts, 1, random));
    }
    assertThat(counts.get(1)).isEqualTo(expected.get(1));
  }

  @Test
  void add_threadsThatSayTheyAreTheSame_losesNothing() {
    ThreadCounts counts = new ThreadCounts(SUMS, 4);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Runnable adds = () -> add(counts, new SplittableRandom(2), 20 * STEPS);
      threads.add(
          new Thread(adds) {
            @Override
            public long getId() {
              return 7;
            }
          });
    }
    untilAllHaveEnded(threads);
    assertThat(counts.get(2)).isEqualTo(expected.get(2));
  }

  @Test
  void add_lessThanNothing_isTakenOff_whoeverAddedIt() {
    ThreadCounts counts = new ThreadCounts(SUMS, 1);
    untilAllHaveEnded(List.of(new Thread(() -> counts.add(1, 5))));
    counts.add(1, -3);
    assertThat(counts.get(1)).isEqualTo(2);
    assertThat(counts.get(0)).isZero();
  }

  private List<Thread> adding(ThreadCounts counts, int threads, SplittableRandom random) {
    List<Thread> adding = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      SplittableRandom own = random.split();
      adding.add(new Thread(() -> add(counts, own, STEPS)));
    }
    return adding;
  }

  private void add(ThreadCounts counts, SplittableRandom random, int steps) {
    for (int i = 0; i < steps; i++) {
      int sum = random.nextInt(SUMS);
      long some = random.nextInt(-1, 4);
      counts.add(sum, some);
      expected.addAndGet(sum, some);
    }
  }
}
