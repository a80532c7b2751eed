package io.quotaenforcer.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DecisionMergeTest {
  private static final Rule RULE =
      Rule.of(new RuleId("test", "rule"), List.of("user"), new FixedWindow(5, 1_000_000_000L));

  private final KeyTable keys = new KeyTable(List.of(RULE));
  private final int key = keys.of(QuotaKey.of(RULE.id(), List.of("a"))).id();
  private final DecisionLog first = new DecisionLog();
  private final DecisionLog second = new DecisionLog();
  private final List<Long> stamps = new ArrayList<>();
  private final List<Integer> instances = new ArrayList<>();
  private final DecisionMerge merge =
      new DecisionMerge(
          keys,
          List.of(first, second),
          (stampNanos, instance, entry, cost, source, window) -> {
            stamps.add(stampNanos / 1000);
            instances.add(instance);
          });

  @Test
  void drain_oneLogNotSettled_passesOnlyWhatNothingCanPrecede() {
    record(first, 1, 4, 7);
    record(second, 2, 3);
    first.settle(8_000);
    second.settle(4_000);

    merge.drain();
    assertThat(stamps).containsExactly(1L, 2L, 3L);

    record(second, 4);
    second.close();
    first.close();
    merge.drain();
    assertThat(stamps).containsExactly(1L, 2L, 3L, 4L, 4L, 7L);
    assertThat(instances).containsExactly(0, 1, 1, 0, 1, 0);
  }

  @Test
  void drain_nothingSettled_passesNothing() {
    record(first, 1);
    second.close();

    merge.drain();

    assertThat(stamps).isEmpty();
  }

  @Test
  void drain_stampsRunBackwards_isRefused() {
    record(first, 5, 3);
    first.close();
    second.close();

    assertThatThrownBy(merge::drain)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("must be recorded in the order of stamps");
  }

  @Test
  void drain_whileTwoThreadsRecord_passesEveryDecisionInOrder() throws InterruptedException {
    int count = 10 * DecisionLog.CHUNK_DECISIONS + 17;
    Thread recorder = new Thread(() -> recordSteadily(first, count));
    Thread other = new Thread(() -> recordSteadily(second, count));
    recorder.start();
    other.start();
    while (stamps.size() < 2 * count && (recorder.isAlive() || other.isAlive())) {
      merge.drain();
    }
    recorder.join();
    other.join();
    merge.drain();

    assertThat(stamps).hasSize(2 * count).isSorted();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void replaySorted_recordedInAnyOrder_passesEveryDecisionInOrder(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 10_000; i++) {
      record(i % 2 == 0 ? first : second, random.nextInt(1000));
    }
    first.close();
    second.close();
    List<Long> sorted = new ArrayList<>();

    DecisionMerge.replaySorted(
        keys,
        List.of(first, second),
        (stampNanos, instance, entry, cost, source, window) -> sorted.add(stampNanos));

    assertThat(sorted).as("seed %d", seed).hasSize(10_000).isSorted();
  }

  private void record(DecisionLog log, long... micros) {
    for (long at : micros) {
      log.record(at * 1000 + 999, key, 1, PermitSource.GRANTED, 0);
    }
  }

  private void recordSteadily(DecisionLog log, int count) {
    for (int i = 0; i < count; i++) {
      log.record(i * 1000L, key, 1, PermitSource.GRANTED, 0);
      if (i % 100 == 0) {
        log.settle(i * 1000L);
      }
    }
    log.close();
  }
}
