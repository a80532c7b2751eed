package io.quotaenforcer.bench.approximation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExactLogTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void count_always_isThatOfAllTimesWithinThePeriod(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long period = 1 + random.nextInt(100);
    ExactLog log = new ExactLog(period);
    List<Long> times = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 1_000; i++) {
      now += random.nextInt(random.nextInt(20) == 0 ? 200 : 3);
      long from = now - period;
      assertThat(log.count(now)).isEqualTo((int) times.stream().filter(it -> it > from).count());
      if (random.nextInt(4) > 0) {
        log.add(now);
        times.add(now);
      }
    }
  }
}
