package io.quotaenforcer.bench.accuracy.innocents;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.lab.verdict.CentralCounter;
import io.quotaenforcer.simulation.Timeline;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Figures of policies whose result is known beforehand. */
class JudgeTest {
  private static final long SEED = 7;
  private static final int INSTANCES = 3;
  private static final Visits VISITS = new Visits(new Visitors(300), INSTANCES, 30, SEED);

  @ParameterizedTest
  @EnumSource(LimitKind.class)
  void policyThatThrottlesAll_turnsAwayAll(LimitKind kind) {
    Judge judge =
        judge(kind, (user, instance, answer) -> answer.decided(false, 0), new Timeline(0));

    for (UserClass users : UserClass.values()) {
      Figures figures = sum(judge, users);
      assertThat(figures.turnedAway().turnedAway()).isEqualTo(figures.turnedAway().allowed());
      assertThat(figures.over()).isZero();
    }
    assertThat(sum(judge, UserClass.INNOCENT).turnedAwayPct()).isEqualTo(100);
    assertThat(sum(judge, UserClass.ABUSER).turnedAwayPct()).isEqualTo(100);
  }

  @ParameterizedTest
  @EnumSource(LimitKind.class)
  void exactCentralCounter_turnsNobodyAwayAndIsNeverOver(LimitKind kind) {
    Judge judge = central(kind);

    for (UserClass users : UserClass.values()) {
      Figures figures = sum(judge, users);
      assertThat(figures.turnedAway().turnedAway()).isZero();
      assertThat(figures.over()).isZero();
      assertThat(figures.admitted()).isEqualTo(figures.turnedAway().allowed());
    }
  }

  @ParameterizedTest
  @EnumSource(LimitKind.class)
  void staticSplit_turnsInnocentsAwayAndIsNotOver(LimitKind kind) {
    Timeline time = new Timeline(Visits.START);
    CentralCounter[][] parts = new CentralCounter[300][INSTANCES];
    for (int user = 0; user < parts.length; user++) {
      Limit limit = VISITS.visitors().limitOf(user).by(kind);
      for (int i = 0; i < INSTANCES; i++) {
        parts[user][i] = new CentralCounter(limit.share(INSTANCES), Visits.START);
      }
    }

    Judge judge =
        judge(
            kind,
            (user, instance, answer) ->
                answer.decided(parts[user][instance].admits(1, time.now()), 0),
            time);

    assertThat(sum(judge, UserClass.INNOCENT).turnedAwayPct()).isBetween(0.1, 60.0);
    assertThat(sum(judge, UserClass.INNOCENT).over()).isZero();
  }

  @Test
  void policyThatAdmitsAll_isOverByWhatAnExactCounterRefuses() {
    Judge judge =
        judge(
            LimitKind.FIXED_WINDOW,
            (user, instance, answer) -> answer.decided(true, 0),
            new Timeline(Visits.START));

    for (UserClass users : UserClass.values()) {
      Figures figures = sum(judge, users);
      assertThat(figures.turnedAway().turnedAway()).isZero();
      assertThat(figures.over()).isEqualTo(figures.requests() - figures.turnedAway().allowed());
    }
    Figures abusers = sum(judge, UserClass.ABUSER);
    assertThat(abusers.overLoops()).isGreaterThan(1);
    assertThat(abusers.overByOpening().stream().mapToLong(Long::longValue).sum())
        .isPositive()
        .isLessThanOrEqualTo(abusers.over());
  }

  @Test
  void users_areEachInOneClass() {
    Judge judge = central(LimitKind.SLIDING_WINDOW);

    assertThat(
            Arrays.stream(UserClass.values()).mapToLong(users -> sum(judge, users).users()).sum())
        .isEqualTo(300);
    assertThat(sum(judge, UserClass.ABUSER).users()).isEqualTo(6);
    assertThat(sum(judge, UserClass.INNOCENT).users()).isGreaterThan(150);
    assertThat(sum(judge, UserClass.NOW_AND_THEN).users()).isGreaterThan(10);
    assertThat(requests(judge)).isEqualTo(VISITS.size());
  }

  @Test
  void requestThatWaits_isJudgedByWhenItWasAskedAndCountedWhenItIsAdmitted() {
    Timeline time = new Timeline(Visits.START);
    CentralCounter[] centrals = centrals(LimitKind.FIXED_WINDOW);

    Judge judge =
        judge(
            LimitKind.FIXED_WINDOW,
            (user, instance, answer) -> {
              boolean admitted = centrals[user].admits(1, time.now());
              time.at(time.now() + 1_000_000, () -> answer.decided(admitted, 0));
            },
            time);
    time.runUntil(VISITS.endNanos() + 1_000_000);

    assertThat(sum(judge, UserClass.INNOCENT).turnedAway().turnedAway()).isZero();
    assertThat(judge.waitsOfInnocents().toArray())
        .hasSize((int) sum(judge, UserClass.INNOCENT).admitted())
        .containsOnly(1_000_000);
  }

  private static Judge central(LimitKind kind) {
    Timeline time = new Timeline(Visits.START);
    CentralCounter[] centrals = centrals(kind);
    return judge(
        kind,
        (user, instance, answer) -> answer.decided(centrals[user].admits(1, time.now()), 0),
        time);
  }

  private static CentralCounter[] centrals(LimitKind kind) {
    return IntStream.range(0, VISITS.visitors().count())
        .mapToObj(
            user -> new CentralCounter(VISITS.visitors().limitOf(user).by(kind), Visits.START))
        .toArray(CentralCounter[]::new);
  }

  private static Judge judge(LimitKind kind, Policy policy, Timeline time) {
    return Simulation.judge(kind, Enforcement.BALANCED, VISITS, policy, time);
  }

  private static long requests(Judge judge) {
    return Arrays.stream(UserClass.values()).mapToLong(users -> sum(judge, users).requests()).sum();
  }

  private static Figures sum(Judge judge, UserClass users) {
    return Arrays.stream(UserLimit.values())
        .map(limit -> judge.figures(limit, users))
        .reduce(Figures.NONE, Figures::plus);
  }
}
