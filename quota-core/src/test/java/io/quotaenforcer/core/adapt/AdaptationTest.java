package io.quotaenforcer.core.adapt;

import static io.quotaenforcer.core.adapt.Loads.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.adapt.AdaptReason.AtRest;
import io.quotaenforcer.core.adapt.AdaptReason.Recovering;
import io.quotaenforcer.core.adapt.AdaptReason.SignalLost;
import io.quotaenforcer.core.adapt.AdaptReason.WithoutSignal;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AdaptationTest {
  private static final ServiceLoad BUSY = Loads.of(LoadQuantity.CPU, 0.9);
  private static final ServiceLoad ALMOST = Loads.of(LoadQuantity.CPU, 0.75);
  private static final ServiceLoad CALM = Loads.of(LoadQuantity.CPU, 0.5);
  private static final AdaptStep HALF = Loads.step("cpu > 80%", 5, new Lowering.To(5_000));
  private static final AdaptStep TENTH = Loads.step("cpu > 80%", 5, new Lowering.By(1_000));

  private AdaptTerms terms = AdaptTerms.of(1_000, HALF);
  private AdaptState state = AdaptState.start(terms, 0);

  private void under(AdaptStep... steps) {
    terms = AdaptTerms.of(1_000, steps);
    state = AdaptState.start(terms, state.atNanos());
  }

  /** A call a second. */
  private void seconds(int seconds, ServiceLoad load) {
    for (int i = 0; i < seconds; i++) {
      state = Adaptation.next(terms, state, load, state.atNanos() + SECOND);
    }
  }

  @Test
  void condition_thatLasts_lowersTheLimit_andSaysWhySinceWhen() {
    seconds(5, BUSY);
    assertThat(state.basisPoints()).isEqualTo(10_000);
    assertThat(state.reason()).isEqualTo(new AtRest());

    seconds(1, BUSY);
    assertThat(state.basisPoints()).isEqualTo(5_000);

    seconds(30, BUSY);
    assertThat(state.basisPoints()).isEqualTo(5_000);
    assertThat(state.reason()).hasToString("cpu > 80%: it was 90%");
    assertThat(state.sinceNanos()).isEqualTo(6 * SECOND);
  }

  @Test
  void condition_thatBreaksOff_beginsAnew() {
    seconds(5, BUSY);
    seconds(1, ALMOST);
    seconds(5, BUSY);

    assertThat(state.basisPoints()).isEqualTo(10_000);
  }

  @Test
  void limit_whileTheValueIsJustBelowTheBound_stays_thenRecoversSlowly() {
    seconds(6, BUSY);
    seconds(100, ALMOST);
    assertThat(state.basisPoints()).isEqualTo(5_000);

    seconds(11, CALM);
    assertThat(state.basisPoints()).isEqualTo(5_500);
    assertThat(state.reason()).isEqualTo(new Recovering(0, HALF.when()));

    seconds(90, CALM);
    assertThat(state.basisPoints()).isEqualTo(10_000);
    assertThat(state.reason()).isEqualTo(new AtRest());
  }

  @Test
  void step_whileTheConditionLasts_isTakenAgain_downToTheFloor() {
    under(TENTH);

    seconds(6, BUSY);
    assertThat(state.basisPoints()).isEqualTo(9_000);
    seconds(5, BUSY);
    assertThat(state.basisPoints()).isEqualTo(8_100);
    seconds(500, BUSY);
    assertThat(state.basisPoints()).isEqualTo(AdaptTerms.DEFAULT_FLOOR);
  }

  @Test
  void severalSteps_theLowestCounts_andIsTheReason() {
    under(Loads.step("queue > 10", 1, new Lowering.To(8_000)), HALF);
    ServiceLoad both = Loads.of(LoadQuantity.CPU, 0.9, LoadQuantity.QUEUE, 20);

    seconds(2, both);
    assertThat(state.basisPoints()).isEqualTo(8_000);
    assertThat(state.reason()).hasToString("queue > 10: it was 20");

    seconds(4, both);
    assertThat(state.basisPoints()).isEqualTo(5_000);
    assertThat(state.reason()).hasToString("cpu > 80%: it was 90%");
  }

  @Test
  void served_ofAnOverloadedService_isFoundAtOnce_drained_andResumed() {
    under(Loads.step("queue > 10", 2, new Lowering.ToServed(9_500, 4 * SECOND)));
    // Ten instances get 40 a second done each, of a limit of 1,000. Beyond the bound 80 wait at
    // each, for 2 s: half of the time to drain in, whose square is a quarter.
    ServiceLoad overloaded = Loads.of(LoadQuantity.QUEUE, 90, LoadQuantity.THROUGHPUT, 40);
    ServiceLoad drained = Loads.of(LoadQuantity.QUEUE, 0, LoadQuantity.THROUGHPUT, 20);

    seconds(3, overloaded);
    assertThat(state.basisPoints()).isEqualTo(2_850);

    seconds(1, drained);
    assertThat(state.basisPoints()).isEqualTo(3_800);
    assertThat(state.reason()).isInstanceOf(Recovering.class);
  }

  @Test
  void served_whereAllThatWaitsTakesTooLong_letsNothingInButTheFloor() {
    under(Loads.step("latency.p99 > 1s", 2, new Lowering.ToServed(9_500, 2 * SECOND)));

    seconds(
        3,
        Loads.of(
            LoadQuantity.LATENCY_P99, 3e9, LoadQuantity.QUEUE, 80, LoadQuantity.THROUGHPUT, 40));

    assertThat(state.basisPoints()).isEqualTo(AdaptTerms.DEFAULT_FLOOR);
  }

  /** A mean of all seconds of a long overload would stay near 40 a second. */
  @Test
  void served_ofAServiceThatGetsSlower_isThatOfTheLastSeconds() {
    under(Loads.step("queue > 10", 2, new Lowering.ToServed(10_000, 4 * SECOND)));

    seconds(300, Loads.of(LoadQuantity.QUEUE, 11, LoadQuantity.THROUGHPUT, 40));
    assertThat(state.basisPoints()).isBetween(3_900, 4_000);
    seconds(24, Loads.of(LoadQuantity.QUEUE, 11, LoadQuantity.THROUGHPUT, 20));

    assertThat(state.basisPoints()).isBetween(1_950, 2_150);
  }

  /** Seconds differ by chance: their mean goes on while the service is near its bound. */
  @Test
  void served_whileLittleRoomIsLeft_isMeasuredOn() {
    under(Loads.step("queue > 10", 2, new Lowering.ToServed(10_000, 4 * SECOND)));

    seconds(8, Loads.of(LoadQuantity.QUEUE, 8, LoadQuantity.THROUGHPUT, 50));
    seconds(3, Loads.of(LoadQuantity.QUEUE, 10.1, LoadQuantity.THROUGHPUT, 42));

    assertThat(state.basisPoints()).isBetween(4_700, 4_800);
  }

  @Test
  void limit_withMuchRoomLeft_risesFasterAndFaster_nearTheBoundHardly() {
    ServiceLoad idle = Loads.of(LoadQuantity.CPU, 0.0);
    under(
        new AdaptStep(
            HALF.when(), 5 * SECOND, HALF.lowering(), new Recovery.Growing(100, SECOND, 400)));

    seconds(6, BUSY);
    seconds(1, idle);
    seconds(3, idle);
    assertThat(state.basisPoints()).isEqualTo(5_153);
    seconds(3, idle);
    assertThat(state.basisPoints()).isEqualTo(5_471);
    seconds(3, idle);
    assertThat(state.basisPoints()).isEqualTo(6_155);

    seconds(1, ALMOST);
    assertThat(state.basisPoints()).isEqualTo(6_155);
    seconds(1, idle);
    assertThat(state.basisPoints()).isEqualTo(6_217);

    under(
        new AdaptStep(
            HALF.when(), 5 * SECOND, HALF.lowering(), new Recovery.Growing(100, SECOND, 400)));
    seconds(6, BUSY);
    seconds(1, CALM);
    seconds(9, Loads.of(LoadQuantity.CPU, 0.72));
    assertThat(state.basisPoints()).isBetween(5_045, 5_060);
  }

  @Test
  void served_ofAServiceThatHangs_isTheFloor() {
    under(Loads.step("queue > 10", 2, Lowering.ToServed.DEFAULT));

    seconds(3, Loads.of(LoadQuantity.QUEUE, 76, LoadQuantity.THROUGHPUT, 0));

    assertThat(state.basisPoints()).isEqualTo(AdaptTerms.DEFAULT_FLOOR);
  }

  @Test
  void signals_thatStop_holdTheLimit_thenItIsThatWithoutSignal() {
    terms =
        new AdaptTerms(List.of(HALF), 1_000, 10_000, 3_000, AdaptTerms.DEFAULT_HOLD_NANOS, 1_000);
    seconds(6, BUSY);
    seconds(30, ServiceLoad.UNKNOWN);
    assertThat(state.basisPoints()).isEqualTo(5_000);
    assertThat(state.reason()).isEqualTo(new SignalLost(7 * SECOND, Set.of()));

    seconds(1, ServiceLoad.UNKNOWN);
    assertThat(state.basisPoints()).isEqualTo(3_000);
    assertThat(state.reason()).isEqualTo(new WithoutSignal(7 * SECOND, Set.of()));
    assertThat(state.sinceNanos()).isEqualTo(37 * SECOND);

    seconds(1, CALM);
    assertThat(state.basisPoints()).isEqualTo(3_000);
    seconds(10, CALM);
    assertThat(state.basisPoints()).isEqualTo(3_500);
  }

  @Test
  void signals_withoutWhatAConditionAsksFor_areNoSignals_andTheReasonNamesIt() {
    under(Loads.step("queue > 10", 2, Lowering.ToServed.DEFAULT), HALF);
    ServiceLoad poor = Loads.of(LoadQuantity.QUEUE, 0);

    seconds(1, ServiceLoad.UNKNOWN);
    assertThat(state.reason()).hasToString("signals stopped coming; it is held");
    seconds(1, poor);
    assertThat(state.reason()).hasToString("signals do not say cpu, throughput; it is held");
    assertThat(state.sinceNanos()).isEqualTo(2 * SECOND);
    seconds(40, poor);
    assertThat(state.reason()).hasToString("signals do not say cpu, throughput");
    seconds(1, ServiceLoad.UNKNOWN);
    assertThat(state.reason()).hasToString("no signal comes");
    assertThat(state.reason()).isEqualTo(new WithoutSignal(SECOND, Set.of()));
  }

  @Test
  void limit_whileOneInstanceIsSilent_doesNotRise() {
    seconds(6, BUSY);
    seconds(100, new ServiceLoad(CALM.mean(), 9, 10));

    assertThat(state.basisPoints()).isEqualTo(5_000);
  }

  @Test
  void successor_goesOnWithWhatWasInForce() {
    seconds(6, BUSY);

    AdaptState successor = AdaptState.holding(state.basisPoints(), terms, 100 * SECOND);

    assertThat(successor.basisPoints()).isEqualTo(5_000);
    assertThat(Adaptation.next(terms, successor, CALM, 109 * SECOND).basisPoints())
        .isEqualTo(5_000);
    assertThat(Adaptation.next(terms, successor, CALM, 110 * SECOND).basisPoints())
        .isEqualTo(5_500);
  }

  @Test
  void time_thatRunsBackwards_standsStill() {
    seconds(6, BUSY);

    assertThat(Adaptation.next(terms, state, BUSY, 0).atNanos()).isEqualTo(6 * SECOND);
  }

  static Stream<ThrowingCallable> misuses() {
    return Stream.of(
        () -> AdaptTerms.of(1_000),
        () -> AdaptTerms.of(0, HALF),
        () -> new AdaptTerms(List.of(HALF), 0, 10_000, 10_000, 0, 1),
        () -> new AdaptTerms(List.of(HALF), 2_000, 1_000, 2_000, 0, 1),
        () -> new AdaptTerms(List.of(HALF), 2_000, 10_000, 1_000, 0, 1),
        () -> new AdaptTerms(List.of(HALF), 2_000, 100_001, 3_000, 0, 1),
        () -> new AdaptTerms(List.of(HALF), 2_000, 10_000, 3_000, -1, 1),
        () -> new Lowering.By(10_000),
        () -> new Lowering.To(0),
        () -> new Lowering.ToServed(9_000, 0),
        () -> new Recovery.Even(0, 1),
        () -> new Recovery.Even(1, 0),
        () -> new Recovery.Growing(0, 1, 1),
        () -> new Recovery.Growing(2, 1, 1),
        () -> new Recovery.Growing(1, 0, 1),
        () -> new ServiceLoad(LoadSignal.NOTHING, 2, 1),
        () -> new LoadCondition.Above(LoadQuantity.CPU, 0),
        () -> Loads.step("cpu > 80%", -1, new Lowering.To(1)));
  }

  @ParameterizedTest
  @MethodSource("misuses")
  void misuse_isRefused(ThrowingCallable misuse) {
    assertThatThrownBy(misuse)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("must ");
  }
}
