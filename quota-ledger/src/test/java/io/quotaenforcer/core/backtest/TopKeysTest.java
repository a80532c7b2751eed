package io.quotaenforcer.core.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopKeysTest {
  private static final RuleId RULE = new RuleId("d", "r");

  private static TopKeys<AtomicLong> keys(int most) {
    return new TopKeys<>(
        most, AtomicLong::new, Comparator.comparingLong(AtomicLong::get).reversed());
  }

  private static QuotaKey key(String value) {
    return QuotaKey.of(RULE, List.of(value));
  }

  private static List<String> top(TopKeys<AtomicLong> keys, int most) {
    return keys.top(most).stream()
        .map(entry -> entry.quotaKey().values().get(0) + "=" + entry.counted())
        .toList();
  }

  private static void count(TopKeys<AtomicLong> keys, String value, long times) {
    for (long i = 0; i < times; i++) {
      keys.of(key(value)).incrementAndGet();
    }
  }

  @Test
  void top_keysThatFit_areCountedExactly_theLargestFirst_equalOnesByName() {
    TopKeys<AtomicLong> keys = keys(4);
    count(keys, "b", 2);
    count(keys, "a", 2);
    count(keys, "c", 5);
    count(keys, "d", 1);

    assertThat(top(keys, 10)).containsExactly("c=5", "a=2", "b=2", "d=1");
    assertThat(top(keys, 2)).containsExactly("c=5", "a=2");
    assertThat(top(keys, 0)).isEmpty();
    assertThat(keys.isExact()).isTrue();
  }

  @Test
  void of_oneKeyTooMany_forgetsTheSmallerHalf_andSaysSo() {
    TopKeys<AtomicLong> keys = keys(4);
    count(keys, "a", 4);
    count(keys, "b", 3);
    count(keys, "c", 2);
    count(keys, "d", 1);
    assertThat(keys.isExact()).isTrue();

    count(keys, "e", 1);

    assertThat(keys.isExact()).isFalse();
    assertThat(top(keys, 10)).containsExactly("a=4", "b=3", "e=1");
  }

  @Test
  void of_keyThatWasForgotten_beginsAtNothing() {
    TopKeys<AtomicLong> keys = keys(2);
    count(keys, "a", 5);
    count(keys, "b", 4);
    count(keys, "c", 1);
    count(keys, "b", 1);

    assertThat(top(keys, 10)).containsExactly("a=5", "b=1");
  }

  @Test
  void of_asManyAsOneKey_keepsTheNewestAlone() {
    TopKeys<AtomicLong> keys = keys(1);
    count(keys, "a", 5);
    count(keys, "b", 1);

    assertThat(top(keys, 10)).containsExactly("b=1");
  }

  /** A key that is ahead of all others is never forgotten, and what is said is never too much. */
  @Test
  void of_anyKeys_isNeverMoreThanTheTruth_andBounded() {
    Seeded.check(
        500,
        random -> {
          int most = 2 + random.nextInt(10);
          TopKeys<AtomicLong> keys = keys(most);
          Map<String, Long> truth = new HashMap<>();
          count(keys, "leader", 1_000);
          truth.put("leader", 1_000L);
          for (int i = 0; i < 300; i++) {
            String value = "k" + random.nextInt(1 + random.nextInt(30));
            count(keys, value, 1);
            truth.merge(value, 1L, Long::sum);
          }
          List<TopKeys.Entry<AtomicLong>> top = keys.top(1_000);
          assertThat(top.size()).isLessThanOrEqualTo(most);
          assertThat(top.get(0).quotaKey()).isEqualTo(key("leader"));
          assertThat(top.get(0).counted()).hasValue(1_000);
          List<Long> counts = new ArrayList<>();
          for (TopKeys.Entry<AtomicLong> entry : top) {
            long counted = entry.counted().get();
            long expected = truth.get(entry.quotaKey().values().get(0));
            assertThat(counted).isLessThanOrEqualTo(expected);
            if (keys.isExact()) {
              assertThat(counted).isEqualTo(expected);
            }
            counts.add(counted);
          }
          assertThat(counts).isSortedAccordingTo(Comparator.reverseOrder());
          assertThat(keys.isExact()).isEqualTo(truth.size() <= most);
        });
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1, 0, must be >= 1: maxQuotaKeys=0",
    "1, 0, 1, 0, must be >= 1: maxCounted=0",
    "1, 1, 0, 0, must be >= 1: maxHeldBack=0",
    "1, 1, 1, -1, must be >= 0: latenessNanos=-1"
  })
  void bounds_outOfRange_areRefused(
      int maxQuotaKeys, int maxCounted, int maxHeldBack, long lateness, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BacktestBounds(maxQuotaKeys, maxCounted, maxHeldBack, lateness))
        .withMessage(message);
  }

  @Test
  void counts_requests_areAllThatMatched() {
    assertThat(new KeyCounts(1, 2, 4, 8).requests()).isEqualTo(7);
    assertThat(KeyCounts.NONE.requests()).isZero();
    assertThat(new Totals(1, 2, 4).requests()).isEqualTo(7);
  }
}
