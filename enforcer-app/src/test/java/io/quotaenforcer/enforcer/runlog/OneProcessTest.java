package io.quotaenforcer.enforcer.runlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

class OneProcessTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Rule PER_HOST = rule("per-host", List.of("host"), 2);
  private static final Rule SERVICE = rule("service", List.of(), 3);

  private final OneProcess process = new OneProcess(List.of(PER_HOST, SERVICE));

  @Test
  void decide_overALimit_admitsWhatEveryRuleAllows() {
    for (String host : List.of("a", "a", "a", "b", "b")) {
      process.decide(Request.of("host", host), 0);
    }

    assertThat(process.admitted()).isEqualTo(3);
    assertThat(process.admittedBy(PER_HOST.id())).isEqualTo(3);
    assertThat(process.admittedBy(SERVICE.id())).isEqualTo(3);
  }

  @Test
  void decide_nextWindow_admitsAgain() {
    for (int second = 0; second < 20; second++) {
      process.decide(Request.of("host", "a"), second * SECOND);
    }

    assertThat(process.admitted()).isEqualTo(4);
  }

  @Test
  void decide_earlierThanTheLast_isDecidedAtTheLastOnesTime() {
    process.decide(Request.of("host", "a"), 10 * SECOND);
    process.decide(Request.of("host", "a"), 9 * SECOND);
    process.decide(Request.of("host", "a"), 11 * SECOND);

    assertThat(process.admitted()).isEqualTo(2);
  }

  @Test
  void decide_noRuleMatches_isNotCounted() {
    new OneProcess(List.of(PER_HOST)).decide(Request.of("path", "/"), 0);

    assertThat(process.admitted()).isZero();
  }

  private static Rule rule(String id, List<String> key, long permits) {
    return Rule.of(new RuleId("web", id), key, new FixedWindow(permits, 10 * SECOND));
  }
}
