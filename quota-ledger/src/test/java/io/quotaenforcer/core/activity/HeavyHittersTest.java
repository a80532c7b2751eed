package io.quotaenforcer.core.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.activity.HeavyHitters.Hitter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeavyHittersTest {
  private static final long SECOND = 1_000_000_000L;
  private static final HalfLife MINUTE = new HalfLife(60 * SECOND);

  @Test
  void fewKeys_areCountedExactly() {
    HeavyHitters<String> hitters = new HeavyHitters<>(10, MINUTE);
    hitters.add("a", 3, 0);
    hitters.add("b", 5, 0);
    hitters.add("a", 4, 0);
    hitters.add("c", 0, 0);

    assertThat(hitters.top(2, 0)).containsExactly(new Hitter<>("a", 7, 0), new Hitter<>("b", 5, 0));
    assertThat(hitters.total(0)).isEqualTo(12);
  }

  @Test
  void weight_countsHalfAfterTheHalfLife_andOrderStays() {
    HeavyHitters<String> hitters = new HeavyHitters<>(10, MINUTE);
    hitters.add("a", 8, 0);
    hitters.add("b", 5, 60 * SECOND);

    assertThat(hitters.top(1, 60 * SECOND)).containsExactly(new Hitter<>("b", 5, 0));
    assertThat(hitters.top(2, 120 * SECOND).get(1).sum()).isCloseTo(2, within(1e-9));
    assertThat(hitters.total(120 * SECOND)).isCloseTo(4.5, within(1e-9));
  }

  @Test
  void weightsOfDays_runOverNowhere() {
    HeavyHitters<String> hitters = new HeavyHitters<>(2, MINUTE);
    long day = 86_400 * SECOND;
    for (long now = 0; now < 30 * day; now += 3_600 * SECOND) {
      hitters.add("a", 2, now);
      hitters.add("b", 1, now);
    }
    long last = 30 * day - 3_600 * SECOND;

    assertThat(hitters.top(2, last)).extracting(Hitter::key).containsExactly("a", "b");
    assertThat(hitters.top(1, last).get(0).sum()).isCloseTo(2, within(1e-6));
    assertThat(hitters.total(last + 300 * day)).isZero();
  }

  /** The guarantees of Space-Saving, against an exact count of the same stream. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyStream_largeKeysAreThere_sumsAreBounded(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int capacity = 1 + random.nextInt(40);
    HeavyHitters<Integer> hitters = new HeavyHitters<>(capacity, MINUTE);
    Map<Integer, Double> exact = new HashMap<>();
    long now = 0;
    for (int i = 0; i < 20_000; i++) {
      long later = now + random.nextLong(SECOND / 10);
      double less = Math.pow(2, -(later - now) / (60.0 * SECOND));
      exact.replaceAll((key, sum) -> sum * less);
      now = later;
      int key = (int) Math.pow(random.nextDouble() * 30, 2);
      double weight = 1 + random.nextInt(9);
      hitters.add(key, weight, now);
      exact.merge(key, weight, Double::sum);
    }
    double total = exact.values().stream().mapToDouble(Double::doubleValue).sum();
    List<Hitter<Integer>> top = hitters.top(Integer.MAX_VALUE, now);

    assertThat(top).as("seed %d", seed).hasSizeLessThanOrEqualTo(capacity);
    assertThat(hitters.total(now)).as("seed %d", seed).isCloseTo(total, within(total * 1e-9));
    exact.forEach(
        (key, sum) -> {
          if (sum > total / capacity * (1 + 1e-9)) {
            assertThat(top).as("seed %d", seed).extracting(Hitter::key).contains(key);
          }
        });
    for (Hitter<Integer> hitter : top) {
      double sum = exact.get(hitter.key());
      assertThat(hitter.sum()).as("seed %d", seed).isGreaterThanOrEqualTo(sum - total * 1e-9);
      assertThat(hitter.sum() - hitter.over())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(sum + total * 1e-9);
      assertThat(hitter.over()).as("seed %d", seed).isLessThanOrEqualTo(total / capacity + 1e-6);
    }
  }

  @Test
  void time_thatRunsBackwards_isTakenForTheNewest() {
    HeavyHitters<String> hitters = new HeavyHitters<>(2, MINUTE);
    hitters.add("a", 1, 60 * SECOND);
    hitters.add("a", 1, 0);

    assertThat(hitters.top(1, 0)).containsExactly(new Hitter<>("a", 2, 0));
  }

  @Test
  void noRoomAtAll_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HeavyHitters<String>(0, MINUTE))
        .withMessage("must be >= 1: capacity=0");
    assertThatIllegalArgumentException().isThrownBy(() -> new HalfLife(0));
  }
}
