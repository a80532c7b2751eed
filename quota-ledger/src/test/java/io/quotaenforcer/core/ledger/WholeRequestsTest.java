package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WholeRequestsTest {
  private static final long PERIOD = 10 * SECOND;

  private static long[] parts(long permits, long now, long[] wants, long[] costs, long[] held) {
    List<Holder> holders = new ArrayList<>();
    for (int i = 0; i < wants.length; i++) {
      holders.add(new HolderBuilder("h" + i, 1).get());
    }
    WorkingLedger ledger = HolderBuilder.ledger(new FixedWindow(100, PERIOD), now, holders);
    WholeRequests whole =
        new WholeRequests(wants, costs, new WholeRequests.Turns(ledger, held.clone()));
    long level = FairShare.level(permits, wants);
    return IntStream.range(0, wants.length).mapToLong(i -> whole.part(i, permits, level)).toArray();
  }

  private static long[] parts(long permits, long now, long[] wants, long[] costs) {
    return parts(permits, now, wants, costs, new long[wants.length]);
  }

  @Test
  void costsWithinTheFairPart_areDividedMaxMinFair() {
    assertThat(parts(100, NOW, new long[] {10, 80, 80}, new long[] {10, 45, 0}))
        .containsExactly(10, 45, 45);
  }

  @Test
  void costsBeyondTheFairPart_areServedWhole_andTheLastGetsWhatIsLeft() {
    long[] parts = parts(100, NOW, new long[] {60, 60, 60, 1}, new long[] {60, 60, 60, 0});

    assertThat(parts[3]).isEqualTo(1);
    assertThat(Arrays.stream(parts).limit(3).sorted().toArray()).containsExactly(0, 39, 60);
  }

  @Test
  void whoLacksLeast_isFirst() {
    long[] wants = {60, 60, 60};
    assertThat(parts(100, NOW, wants, wants, new long[] {0, 1, 0})[1]).isEqualTo(60);
    assertThat(parts(100, NOW, wants, wants, new long[] {70, 1, 0})[0]).isEqualTo(60);
  }

  @Test
  void thoseThatLackAsMuch_takeTurnsByPeriod() {
    long[] wants = {60, 60, 60, 60};
    int[] first = new int[wants.length];
    for (int i = 0; i < 400; i++) {
      long[] parts = parts(60, NOW + i * PERIOD, wants, wants);
      assertThat(parts)
          .as("the same within a period")
          .isEqualTo(parts(60, NOW + i * PERIOD + PERIOD - 1, wants, wants));
      for (int holder = 0; holder < wants.length; holder++) {
        first[holder] += parts[holder] == 60 ? 1 : 0;
      }
    }
    assertThat(IntStream.of(first).sum()).isEqualTo(400);
    assertThat(IntStream.of(first).min().orElseThrow()).isGreaterThan(50);
  }

  @Test
  void parts_areNeverMoreThanThereIs_butForTheRoundingOfTheLevel() {
    Seeded.checkSeed(
        Long.getLong("seed", System.nanoTime()),
        random -> {
          for (int run = 0; run < 2_000; run++) {
            int count = 1 + random.nextInt(6);
            long[] wants = new long[count];
            long[] costs = new long[count];
            for (int i = 0; i < count; i++) {
              wants[i] = random.nextLong(200);
              costs[i] = random.nextBoolean() ? random.nextLong(wants[i] + 1) : 0;
            }
            long permits = random.nextLong(300);
            long all = Arrays.stream(wants).sum();
            long given = Arrays.stream(parts(permits, NOW, wants, costs)).sum();
            assertThat(given)
                .as("run %d", run)
                .isBetween(Math.min(permits, all) == all ? all : 0, Math.min(permits + count, all));
          }
        });
  }
}
