package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Fields that a rule may have beside a limit of how many run at a time. */
class SlotRuleTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Rule SLOTS =
      Rule.of(new RuleId("a", "b"), List.of("user"), new ConcurrencyLimit(20, 60 * SECOND));

  @Test
  void rule_isStrict() {
    assertThat(SLOTS.enforcement()).isEqualTo(Enforcement.STRICT);
    assertThat(SLOTS.onUnavailable()).isEqualTo(OnUnavailable.DENY);
  }

  @Test
  void whatHasNoMeaning_isRefused() {
    assertThatThrownBy(() -> SLOTS.withEnforcement(Enforcement.BALANCED))
        .hasMessageContaining("must be strict");
    assertThatThrownBy(() -> SLOTS.withEnforcement(Enforcement.PER_INSTANCE))
        .hasMessageContaining("must be strict");
    assertThatThrownBy(() -> SLOTS.withOverLimit(OverLimit.Defer.DEFAULTS))
        .hasMessageContaining("must not defer");
    DemandClasses classes =
        new DemandClasses(
            List.of(DemandClass.of("users", Map.of()), DemandClass.of("jobs", Map.of())));
    assertThatThrownBy(() -> SLOTS.withClasses(classes)).hasMessageContaining("classes=");
  }

  @Test
  void otherNumbers_keepCounts_andAnotherKindDoesNot() {
    Rule fewer = SLOTS.withLimit(new ConcurrencyLimit(5, SECOND));
    assertThat(fewer.startsNewGenerationAfter(SLOTS)).isFalse();
    assertThat(SLOTS.withLimit(new FixedWindow(5, SECOND)).startsNewGenerationAfter(SLOTS))
        .isTrue();
  }
}
