package io.quotaenforcer.core.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A back-test of an elastic rule, beside the same counted with three maps. */
class ElasticRunTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_600_000_000L * SECOND;
  private static final int NOMINAL = 5;
  private static final int BORROWED = 10;
  private static final int POOL = 40;

  private final RuleRun run =
      new RuleRun(
          List.of(
              Rule.of(new RuleId("d", "per-user"), List.of("user"), window(NOMINAL))
                  .withElastic(new Elastic("all", 30_000)),
              Rule.of(new RuleId("d", "all"), List.of(), window(POOL))),
          1_000_000);

  private static FixedWindow window(long permits) {
    return new FixedWindow(permits, SECOND);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void decide_randomRequests_asASimpleCount(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, Integer> own = new HashMap<>();
    Map<String, Integer> borrowed = new HashMap<>();
    Map<Long, Integer> all = new HashMap<>();
    long now = START;
    for (int i = 0; i < 20_000; i++) {
      now += random.nextLong(40_000_000);
      String user = "u" + (int) (random.nextDouble() * random.nextDouble() * 20);
      long second = now / SECOND;
      String key = user + " " + second;
      boolean isOwn = own.getOrDefault(key, 0) < NOMINAL;
      boolean room = isOwn || borrowed.getOrDefault(key, 0) < BORROWED;
      boolean expected = room && all.getOrDefault(second, 0) < POOL;
      if (expected) {
        (isOwn ? own : borrowed).merge(key, 1, Integer::sum);
        all.merge(second, 1, Integer::sum);
      }

      RuleRun.Ruling ruling = run.decide(Request.of("user", user), now);

      assertThat(ruling.admitted()).as("seed %d, request %d", seed, i).isEqualTo(expected);
      assertThat(ruling.parts())
          .extracting(part -> part.rule().id().id())
          .containsExactly("all", "per-user");
      assertThat(ruling.parts().get(1).room()).isEqualTo(room);
    }
    assertThat(borrowed).as("some borrowed").isNotEmpty();
    assertThat(all.values()).as("the pool was short").contains(POOL);
  }
}
