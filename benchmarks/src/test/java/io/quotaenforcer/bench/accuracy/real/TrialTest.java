package io.quotaenforcer.bench.accuracy.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;
import io.quotaenforcer.bench.accuracy.scenario.Scenario;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TrialTest {
  private static final Trial TRIAL =
      new Trial(
          Scenario.named("fixed x 2, 90 % on one instance"), PolicyKind.ALLOTMENT_STRICT, 3, 7);

  @Test
  void due_sameSeed_isTheSameAndHoldsTheDemand() {
    assertThat(TRIAL.dueNanos(0)).isEqualTo(TRIAL.dueNanos(0)).isSorted();
    int requests = IntStream.range(0, 8).map(i -> TRIAL.dueNanos(i).length).sum();
    assertThat(requests).as("2000/s for 5 s").isBetween(9_600, 10_400);
    assertThat(TRIAL.dueNanos(0).length / (double) requests).isBetween(0.88, 0.92);
  }

  @Test
  void due_isWithinTheLoad() {
    assertThat(LongStream.of(TRIAL.dueNanos(1)))
        .isNotEmpty()
        .allMatch(due -> due >= 0 && due < TRIAL.loadNanos());
  }

  @Test
  void request_matchesTheRuleOfItsTrialOnly() {
    Trial other = new Trial(TRIAL.scenario(), PolicyKind.ALLOTMENT_BALANCED, TRIAL.seconds(), 7);
    RuleSet rules = RuleSet.of(List.of(other.rule(), TRIAL.rule()));

    assertThat(rules.match(TRIAL.request()))
        .containsExactly(new RuleSet.Match(TRIAL.rule(), TRIAL.quotaKey()));
  }

  @Test
  void seconds_none_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Trial(Trial.WARM_UP, PolicyKind.STATIC_SPLIT, 0, 1))
        .withMessageContaining("must be >= 1: seconds=0");
  }
}
