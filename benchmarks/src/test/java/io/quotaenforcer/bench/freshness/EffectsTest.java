package io.quotaenforcer.bench.freshness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.bench.freshness.InstanceHistory.Applied;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Times in nanoseconds; the enforcer's clock is 1,000 ahead. */
class EffectsTest {
  private static final long AHEAD = 1_000;

  @Test
  void effect_isOfTheFirstAnswerThatCountsTheReport() {
    InstanceHistory from =
        history(List.of(10L), List.of(5L, 30L), new Applied(6, 1_015, 20), applied(31, 40, 50));
    InstanceHistory to =
        history(List.of(), List.of(), applied(1, 39, 45), applied(33, 47, 60), applied(60, 70, 80));

    Effects effects = Effects.of(List.of(from, to), 1, 0, 100, AHEAD);

    assertThat(effects.missing()).isZero();
    assertThat(effects.found()).containsExactly(new Effect(20, 10, 7, 13));
    assertThat(effects.found().get(0).totalNanos()).isEqualTo(60 - 10);
  }

  /** A request that is admitted while a report is made may not be in it. */
  @Test
  void request_isInAReportThatBeganLater() {
    InstanceHistory alone =
        history(List.of(10L), List.of(10L, 20L), applied(11, 12, 13), applied(21, 22, 23));

    Effects effects = Effects.of(List.of(alone), 3, 0, 100, AHEAD);

    assertThat(effects.found()).containsExactly(new Effect(10, 2, 0, 1));
  }

  /** As when the enforcer answers once more after a commit. */
  @Test
  void repeatedAnswer_toAnOlderReport_doesNotCountTheRequest() {
    InstanceHistory alone =
        history(
            List.of(10L),
            List.of(5L, 20L),
            applied(6, 7, 8),
            applied(6, 21, 22),
            applied(21, 24, 25));

    assertThat(Effects.of(List.of(alone), 1, 0, 100, AHEAD).found())
        .containsExactly(new Effect(10, 4, 0, 1));
  }

  @Test
  void requests_areLeftOutBeforeAndAfter() {
    InstanceHistory alone = history(List.of(10L, 20L, 30L), List.of(40L), applied(41, 42, 43));

    assertThat(Effects.of(List.of(alone), 1, 20, 30, AHEAD).found())
        .containsExactly(new Effect(20, 2, 0, 1));
  }

  @Test
  void requests_withoutReportCountOrAnswer_areMissing() {
    InstanceHistory unreported = history(List.of(10L), List.of(5L), applied(6, 7, 8));
    InstanceHistory uncounted = history(List.of(10L), List.of(20L), applied(6, 7, 8));
    InstanceHistory unheard = history(List.of(10L), List.of(20L), applied(21, 22, 23));

    assertThat(missing(unreported)).isEqualTo(1);
    assertThat(missing(uncounted)).isEqualTo(1);
    assertThat(missing(unheard, history(List.of(), List.of(), applied(6, 7, 8)))).isEqualTo(1);
  }

  /** All of four instances, or the next ones in a ring of them. */
  @Test
  void others_areAllOrSome() {
    InstanceHistory each = history(List.of(10L), List.of(20L), applied(21, 22, 23));
    List<InstanceHistory> four = List.of(each, each, each, each);

    assertThat(Effects.of(four, 9, 0, 100, AHEAD).found()).hasSize(4 * 3);
    assertThat(Effects.of(four, 2, 0, 100, AHEAD).found()).hasSize(4 * 2);
  }

  @Test
  void times_areOfAllAndOfEachLeg() {
    Effects effects =
        new Effects(
            List.of(new Effect(1_000_000, 0, 0, 1_000_000), new Effect(3_000_000, 0, 0, 0)), 1);

    LoopTimes times = LoopTimes.of(4, false, effects, 7, new LoopCost(2, 1_000, 8, 6, 50_000_000));

    assertThat(times.totalMillis().p50()).isCloseTo(2, within(0.01));
    assertThat(times.totalMillis().p99()).isCloseTo(3, within(0.01));
    assertThat(times.legMillis().get(Effect.Leg.REPORT).mean()).isCloseTo(2, within(0.01));
    assertThat(String.join("\n", times.describe()))
        .contains("4 instances, on leases: 2 effects, 1 never seen, 7 requests throttled")
        .containsPattern("until the instance reports +1\\.0 +3\\.0 +3\\.0 +80 %");
  }

  private static int missing(InstanceHistory... instances) {
    return Effects.of(List.of(instances), 1, 0, 100, AHEAD).missing();
  }

  private static InstanceHistory history(
      List<Long> admitted, List<Long> composed, Applied... applied) {
    return new InstanceHistory(admitted, composed, List.of(applied));
  }

  /** An answer that counts up to the moment that is {@code count} on the instances' clock. */
  private static Applied applied(long echo, long count, long applied) {
    return new Applied(echo, count + AHEAD, applied);
  }
}
