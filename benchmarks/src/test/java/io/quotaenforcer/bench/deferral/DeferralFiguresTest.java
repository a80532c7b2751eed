package io.quotaenforcer.bench.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeferralFiguresTest {
  private static final OutflowShape SHAPE = new OutflowShape(List.of(10), 2.5, 0.5);

  @Test
  void targetsThatAreMet_areNotShort() {
    DeferralFigures figures = figures(0.9, 20_000, new DeferralFigures.Restore(8, 6.5));

    assertThat(figures.missed()).isEmpty();
    assertThat(figures.toJson())
        .containsEntry("short", List.of())
        .containsEntry("outflowDeviationPct", 2.5)
        .containsKeys(
            "configuration",
            "enqueuePerSec",
            "releasePerSec",
            "idleTickMs",
            "heapMbAt1M",
            "restoreSecondsAt1M");
  }

  @Test
  void targetsThatAreMissed_areNamed() {
    DeferralFigures figures = figures(1, 19_999.4, null);

    assertThat(figures.missed())
        .containsExactly(
            "idleTickMs p99 must be < 1: 1.00", "releasePerSec must be >= 20,000: 19,999");
    assertThat(figures.describe()).contains("missed: idleTickMs p99 must be < 1: 1.00");
    assertThat(figures.toJson()).doesNotContainKey("restoreSecondsAt1M");
  }

  @Test
  void waitingGauge_readsOneRule() {
    String metrics =
        """
        # TYPE quota_deferred_waiting gauge
        quota_deferred_waiting{domain="bench",rule="held"} 1.0E6
        quota_deferred_waiting{domain="bench",rule="probed"} 3.0
        """;

    assertThat(WaitingGauge.waiting(metrics, BenchRules.HELD)).isEqualTo(1_000_000);
    assertThat(WaitingGauge.waiting(metrics, BenchRules.STEADY)).isZero();
  }

  private static DeferralFigures figures(
      double idleP99, double releasePerSec, DeferralFigures.@Nullable Restore restore) {
    return new DeferralFigures(
        DeferralScale.QUICK,
        30_000,
        new DeferralFigures.IdleTicks(0.2, idleP99, 100),
        new DeferralFigures.Heap(20, 40),
        restore,
        releasePerSec,
        SHAPE,
        SHAPE);
  }
}
