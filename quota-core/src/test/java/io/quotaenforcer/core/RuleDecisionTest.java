package io.quotaenforcer.core;

import static io.quotaenforcer.core.RuleDecisions.AT;
import static io.quotaenforcer.core.RuleDecisions.SECOND;
import static io.quotaenforcer.core.RuleDecisions.full;
import static io.quotaenforcer.core.RuleDecisions.key;
import static io.quotaenforcer.core.RuleDecisions.room;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RuleDecisionTest {

  @Test
  void room_isByAGrant_forNoReason_andAtOnce() {
    RuleDecision room = room("a", 3);

    assertThat(room.hadRoom()).isTrue();
    assertThat(room.source()).isEqualTo(PermitSource.GRANTED);
    assertThat(room.reason()).isEqualTo(ThrottleReason.NONE);
    assertThat(room.retryAfter()).contains(Duration.ZERO);
    assertThat(room.owed()).isZero();
    assertThat(room.aboveNominal()).isFalse();
    assertThat(room.isDenied()).isFalse();
    assertThat(room.limit()).isEqualTo(10);
  }

  @Test
  void noRoom_isFromNowhere_overTheLimit() {
    RuleDecision full = full("a", 1);

    assertThat(full.hadRoom()).isFalse();
    assertThat(full.source()).isEqualTo(PermitSource.NONE);
    assertThat(full.reason()).isEqualTo(ThrottleReason.OVER_LIMIT);
    assertThat(full.retryAfter()).contains(Duration.ofNanos(1));
    assertThat(full.isDenied()).as("the limit is used up, and not denied").isFalse();
  }

  @Test
  void denied_hasNoQuota_andNoTimeToTryAgain() {
    RuleDecision denied = RuleDecision.denied(key("a"), 60 * SECOND, true, AT);

    assertThat(denied.isDenied()).isTrue();
    assertThat(denied.hadRoom()).isFalse();
    assertThat(denied.retryAfter()).isEmpty();
    assertThat(denied.limit()).isZero();
    assertThat(denied.allowed().periodNanos()).isEqualTo(60 * SECOND);
    assertThat(denied.remaining()).isZero();
    assertThat(denied.known()).as("it has no quota that could be known").isFalse();
    assertThat(denied.degraded()).isFalse();
    assertThat(denied.shadow()).isTrue();
    assertThat(denied.atNanos()).isEqualTo(AT);
    assertThat(denied.quotaKey()).isEqualTo(key("a"));
    assertThat(denied.source()).isEqualTo(PermitSource.NONE);
    assertThat(denied.reason()).isEqualTo(ThrottleReason.DENIED);
  }

  @Test
  void denied_equalTerms_areEqual() {
    assertThat(RuleDecision.denied(key("a"), SECOND, false, AT))
        .isEqualTo(RuleDecision.denied(key("a"), SECOND, false, AT))
        .isNotEqualTo(RuleDecision.denied(key("a"), 2 * SECOND, false, AT))
        .isNotEqualTo(full("a", RuleDecision.NEVER_NANOS));
  }
}
