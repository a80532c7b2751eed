package io.quotaenforcer.bench.moving.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.limits.LimitKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElasticJudgeTest {
  private static final long START = 1_600_000_000_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long IN_ALL = 300;
  private static final int GREEDY = ElasticLoad.USERS - 1;
  private static final ElasticLoad LOAD =
      new ElasticLoad(LimitKind.FIXED_WINDOW, Enforcement.STRICT, 0.8);

  private final ElasticJudge judge = new ElasticJudge(LOAD, START, 1, 1);

  private void admits(long window, long at) {
    List<RuleDecision> rules =
        LOAD.rules().rules().stream().map(rule -> decision(rule, window)).toList();
    judge.decided(GREEDY, Decision.Admitted.by(rules), at, at);
  }

  private void throttles(long at) {
    Rule users =
        LOAD.rules().rules().stream()
            .filter(rule -> !ElasticLoad.isPool(rule.id()))
            .findFirst()
            .orElseThrow();
    judge.decided(GREEDY, new Decision.Throttled(decision(users, at)), at, at);
  }

  private static RuleDecision decision(Rule rule, long window) {
    List<String> values = ElasticLoad.isPool(rule.id()) ? List.of() : List.of("u-" + GREEDY);
    return RuleDecision.builder(QuotaKey.of(rule.id(), values), rule.limit(), 0)
        .windowStartNanos(window)
        .build();
  }

  @Test
  void permit_countsInItsOwnWindow_evenIfItIsTakenAfterItsEnd() {
    long second = START + ElasticLoad.PERIOD;
    for (int i = 0; i < IN_ALL; i++) {
      admits(START, second - SECOND);
    }
    for (int i = 0; i < IN_ALL - 1; i++) {
      admits(second, second);
    }
    assertThat(judge.row().over()).isZero();

    admits(START, second + 1);
    assertThat(judge.row().over()).isEqualTo(1);

    admits(second, second + 2);
    assertThat(judge.row().over()).isEqualTo(1);
  }

  /** A user who asks for more than there is for one cannot use what is left of the pool. */
  @Test
  void pool_isUsedWhole_whenAUserGetsAllThatOneMayTake() {
    long second = START + ElasticLoad.PERIOD;
    for (int i = 0; i < IN_ALL; i++) {
      admits(second, second);
    }
    throttles(second + 1);
    assertThat(judge.row().used()).isEqualTo(1);

    long refused = IN_ALL / 2;
    for (int i = 0; i < refused; i++) {
      throttles(second + ElasticLoad.PERIOD);
    }
    assertThat(judge.row().used()).isEqualTo((double) IN_ALL / (IN_ALL + refused));
  }
}
