package io.quotaenforcer.bench.sparse;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.lab.verdict.TurnedAway;
import java.util.List;
import org.junit.jupiter.api.Test;

class JudgeTest {
  private static final long SECOND = 1_000 * SparseRun.MILLI;
  private static final long START = SparseRun.START;
  private static final RuleDecision BY =
      RuleDecision.builder(
              QuotaKey.of(new RuleId("sparse", "per-user"), List.of("u")),
              new FixedWindow(2, 60 * SECOND),
              0)
          .windowStartNanos(START)
          .known(true)
          .build();
  private static final Decision ADMITTED = new Decision.Admitted(BY, List.of(BY));
  private static final Decision THROTTLED = new Decision.Throttled(BY);

  private final Judge judge = new Judge(new FixedWindow(2, 60 * SECOND), 2, 2, 1);

  @Test
  void admitted_beyondTheLimit_isOver_perUserAndWindow() {
    for (int i = 0; i < 4; i++) {
      judge.judge(0, 0, ADMITTED, START + i * SECOND);
      judge.judge(1, 1, ADMITTED, START + i * SECOND);
    }
    assertThat(judge.over).isEqualTo(4);
    assertThat(judge.overOfAbusive).isEqualTo(2);
    assertThat(judge.worstOver).isEqualTo(2);
  }

  @Test
  void throttled_withRoom_isForWantOfPermitsHere_unseenIfNotUsedLately() {
    judge.judge(0, 0, THROTTLED, START);
    judge.judge(0, 0, THROTTLED, START + SECOND);
    judge.judge(0, 1, THROTTLED, START + SECOND);
    assertThat(judge.throttledWithRoom).isEqualTo(3);
    assertThat(judge.throttledUnseen).isEqualTo(2);
  }

  @Test
  void throttled_thoughAnExactCounterAdmits_isTurnedAway() {
    judge.judge(0, 0, THROTTLED, START);
    judge.judge(0, 0, ADMITTED, START + SECOND);
    judge.judge(0, 0, THROTTLED, START + 2 * SECOND);
    assertThat(judge.turnedAway()).isEqualTo(new TurnedAway(2, 1));

    judge.clear();
    judge.judge(0, 0, THROTTLED, START + 3 * SECOND);
    assertThat(judge.turnedAway()).isEqualTo(TurnedAway.NONE);
  }

  @Test
  void throttled_withoutRoom_isAsItShouldBe() {
    judge.judge(0, 0, ADMITTED, START);
    judge.judge(0, 1, ADMITTED, START);
    judge.judge(0, 1, THROTTLED, START);
    assertThat(judge.throttledWithRoom).isZero();
    assertThat(judge.over).isZero();
  }
}
