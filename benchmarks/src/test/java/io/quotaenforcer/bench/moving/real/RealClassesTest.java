package io.quotaenforcer.bench.moving.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.moving.scenario.ClassLoad;
import io.quotaenforcer.bench.moving.scenario.ClassRow;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.limits.LimitKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RealClassesTest {
  private static final long START = 1_600_000_000_000_000_000L;
  private static final int NORMAL = 0;
  private static final int CRITICAL = 2;
  private static final ClassLoad LOAD = new ClassLoad(LimitKind.FIXED_WINDOW, Enforcement.STRICT);
  private static final RealClasses CLASSES = new RealClasses(LOAD, 1, 1);

  private final List<Asked> all = new ArrayList<>();

  private void asked(int number, boolean isAdmitted, long sinceStart) {
    long at = START + sinceStart;
    RuleDecision.Builder rule =
        RuleDecision.builder(QuotaKey.of(LOAD.rule().id(), List.of("api")), LOAD.rule().limit(), at)
            .windowStartNanos(at - at % ClassLoad.PERIOD);
    Decision decision =
        isAdmitted
            ? Decision.Admitted.by(List.of(rule.build()))
            : new Decision.Throttled(rule.retryAfterNanos(1).build());
    all.add(new Asked(number, at, at, at, decision));
  }

  private ClassRow row() {
    return CLASSES.row(all, START);
  }

  @Test
  void firstLoop_isToldApart() {
    asked(CRITICAL, false, ClassLoad.STEP - 1);
    asked(CRITICAL, false, ClassLoad.STEP);
    asked(CRITICAL, true, ClassLoad.STEP + ClassLoad.LOOP - 1);
    asked(CRITICAL, true, ClassLoad.STEP + ClassLoad.LOOP);
    asked(NORMAL, false, ClassLoad.STEP + ClassLoad.LOOP);

    assertThat(row().criticalAtFirst()).isEqualTo(0.5);
    assertThat(row().critical()).isEqualTo(1);
    assertThat(row().normal()).isZero();
  }

  @Test
  void permitBeyondTheLimitOfItsWindow_isOver() {
    for (int i = 0; i < ClassLoad.PERMITS; i++) {
      asked(NORMAL, true, i);
    }
    assertThat(row().over()).isZero();

    asked(NORMAL, true, ClassLoad.PERMITS);
    assertThat(row().over()).isEqualTo(1);
  }
}
