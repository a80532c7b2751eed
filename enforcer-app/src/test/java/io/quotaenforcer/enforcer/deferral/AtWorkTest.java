package io.quotaenforcer.enforcer.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import java.util.List;
import org.junit.jupiter.api.Test;

class AtWorkTest {
  private static final QuotaKey ALICE = QuotaKey.of(new RuleId("test", "rule"), List.of("alice"));

  private final AtWork atWork = new AtWork();

  @Test
  void queueTimedTwice_isReadyOnce_atTheEarlierTime() {
    atWork.add(ALICE);
    assertThat(atWork.takeReady(0)).containsExactly(ALICE);

    atWork.readyAt(20, ALICE);
    atWork.readyAt(10, ALICE);
    atWork.readyAt(30, ALICE);

    assertThat(atWork.takeReady(9)).isEmpty();
    assertThat(atWork.isTimed(ALICE)).isTrue();
    assertThat(atWork.takeReady(10)).containsExactly(ALICE);
    assertThat(atWork.isTimed(ALICE)).isFalse();
    assertThat(atWork.takeReady(100)).isEmpty();
  }

  @Test
  void queueThatWasRemoved_isNotReady_whateverItWasTimedFor() {
    atWork.add(ALICE);
    atWork.readyAt(10, ALICE);
    atWork.remove(ALICE);

    assertThat(atWork.takeReady(100)).isEmpty();

    atWork.add(ALICE);
    assertThat(atWork.isTimed(ALICE)).isFalse();
  }
}
