package io.quotaenforcer.bench.accuracy.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.bench.accuracy.scenario.Demand;
import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;
import io.quotaenforcer.bench.accuracy.scenario.Scenario;
import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.lab.verdict.DecisionLog;
import io.quotaenforcer.lab.verdict.KeyTable;
import java.util.List;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RealJudgeTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_800_000_000L * SECOND;
  private static final long LIMIT = 10;

  /** The first second that is measured, since the start. */
  private static final long FIRST = Trial.WARM_UP_WINDOWS * SECOND;

  private final DecisionLog one = new DecisionLog();
  private final DecisionLog other = new DecisionLog();

  @Test
  void fixedWindow_asMuchAsTheLimit_isNeitherOverNorUnder() {
    fixed(one, FIRST, 6, true);
    fixed(other, FIRST + 1, 4, true);
    fixed(one, FIRST + SECOND / 2, 20, false);

    Figures figures = judge(new FixedWindow(LIMIT, SECOND));

    assertThat(figures.overPct()).isZero();
    assertThat(figures.underPct()).isZero();
    assertThat(figures.requests()).isEqualTo(30);
    assertThat(figures.admitted()).isEqualTo(10);
  }

  @Test
  void fixedWindow_instancesTogetherOverTheLimit_isOver() {
    fixed(one, FIRST, 8, true);
    fixed(other, FIRST, 5, true);

    Figures figures = judge(new FixedWindow(LIMIT, SECOND));

    assertThat(figures.worstOverPct()).isCloseTo(30, within(1e-9));
    assertThat(figures.overPct()).as("of two windows").isCloseTo(15, within(1e-9));
  }

  @Test
  void fixedWindow_overInTheWarmUp_isNotMeasured() {
    fixed(one, FIRST - SECOND, 50, true);

    Figures figures = judge(new FixedWindow(LIMIT, SECOND));

    assertThat(figures.worstOverPct()).isZero();
    assertThat(figures.admitted()).isEqualTo(50);
  }

  @Test
  void fixedWindow_permitOfTheWindowBefore_countsThere() {
    fixed(one, FIRST, 10, true);
    entry(one, FIRST + SECOND + 1_000, START + FIRST, true);

    Figures figures = judge(new FixedWindow(LIMIT, SECOND));

    assertThat(figures.worstOverPct()).isCloseTo(10, within(1e-9));
    assertThat(figures.mislabelled()).isZero();
  }

  @Test
  void fixedWindow_permitOfAWindowLongPast_isMislabelled() {
    entry(one, FIRST + SECOND + SECOND / 2, START + FIRST, true);

    assertThat(judge(new FixedWindow(LIMIT, SECOND)).mislabelled()).isEqualTo(1);
  }

  @Test
  void fixedWindow_throttledWithRoom_isUnder() {
    fixed(one, FIRST, 5, true);
    fixed(one, FIRST + SECOND / 2, 15, false);

    assertThat(judge(new FixedWindow(LIMIT, SECOND)).underPct()).isCloseTo(50, within(1e-9));
  }

  @Test
  void bucket_moreThanItsBurstAtOnce_isOver() {
    unlabelled(one, FIRST, 7);
    unlabelled(other, FIRST, 7);

    Figures figures = judge(new TokenBucket(LIMIT, SECOND, LIMIT));

    assertThat(figures.worstOverPct()).isCloseTo(40, within(1e-9));
  }

  @Test
  void slidingWindow_asMuchAgainRightAfterTheBorder_isOver() {
    unlabelled(one, FIRST + SECOND - 1_000_000, 10);
    unlabelled(other, FIRST + SECOND + 1_000_000, 10);

    Figures figures = judge(new SlidingWindow(LIMIT, SECOND));

    assertThat(figures.worstOverPct()).isGreaterThan(80);
  }

  @Test
  void granted_areJudgedWithoutTheOpened() {
    unlabelled(one, FIRST, 10);
    other.record(START + FIRST, 0, 1, PermitSource.OPENING, 0);

    Figures figures = judge(new SlidingWindow(LIMIT, SECOND));

    assertThat(figures.worstOverPct()).isCloseTo(10, within(1e-9));
    assertThat(figures.grantedOver()).isZero();
  }

  @Test
  void granted_moreThanTheLimit_areOver() {
    unlabelled(one, FIRST, 11);

    assertThat(judge(new SlidingWindow(LIMIT, SECOND)).grantedOver()).isEqualTo(1);
  }

  @Test
  void decisions_asTheyCame_areJudgedInTheOrderOfTheirTimes() {
    unlabelled(one, FIRST + SECOND, 10);
    unlabelled(other, FIRST, 10);

    Figures figures = judge(new TokenBucket(LIMIT, SECOND, LIMIT));

    assertThat(figures.worstOverPct()).as("full again a second later").isZero();
  }

  @Test
  void times_areThoseOfAllInstances() {
    Figures figures = judge(new FixedWindow(LIMIT, SECOND));

    assertThat(figures.lateNanos().getTotalCount()).isEqualTo(2);
    assertThat(figures.decideNanos().getMaxValue()).isEqualTo(20);
    assertThat(figures.loopNanos().getTotalCount()).isEqualTo(2);
    assertThat(figures.askingCpuPct()).as("2 s of 4").isCloseTo(50, within(1e-9));
  }

  private Figures judge(Limit limit) {
    Scenario scenario =
        new Scenario("any", limit, 2, Demand.even(1, 2), List.of(Double.NaN, Double.NaN));
    Trial trial = new Trial(scenario, PolicyKind.ALLOTMENT_STRICT, 2, 1);
    KeyTable keys = new KeyTable(List.of(trial.rule()));
    keys.of(trial.quotaKey());
    return new RealJudge(trial, START).judge(keys, List.of(log(one), log(other)));
  }

  private static InstanceLog log(DecisionLog decisions) {
    decisions.close();
    return new InstanceLog(decisions, time(10), time(20), time(6), SECOND);
  }

  private static Histogram time(long nanos) {
    return Times.of(LongStream.of(nanos));
  }

  private static void fixed(DecisionLog log, long sinceStart, int times, boolean admitted) {
    for (int i = 0; i < times; i++) {
      entry(log, sinceStart, START + sinceStart / SECOND * SECOND, admitted);
    }
  }

  private static void unlabelled(DecisionLog log, long sinceStart, int times) {
    for (int i = 0; i < times; i++) {
      entry(log, sinceStart, 0, true);
    }
  }

  private static void entry(DecisionLog log, long sinceStart, long window, boolean admitted) {
    log.record(
        START + sinceStart, 0, 1, admitted ? PermitSource.GRANTED : PermitSource.NONE, window);
  }
}
