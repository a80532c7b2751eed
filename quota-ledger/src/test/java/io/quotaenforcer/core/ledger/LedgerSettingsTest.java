package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerSettingsTest {
  private static final LedgerSettings DEFAULTS = LedgerSettings.defaults(16);

  @Test
  void scaled_times_areLonger() {
    LedgerSettings scaled = DEFAULTS.scaled(600);

    assertThat(scaled.allotmentTtlNanos()).isEqualTo(600 * DEFAULTS.allotmentTtlNanos());
    assertThat(scaled.loops().defaultNanos()).isEqualTo(600 * DEFAULTS.loops().defaultNanos());
    assertThat(scaled.retentionNanos()).isEqualTo(600 * DEFAULTS.retentionNanos());
    assertThat(scaled.loops().ahead()).isEqualTo(DEFAULTS.loops().ahead());
    assertThat(scaled.maxInstances()).isEqualTo(DEFAULTS.maxInstances());
    assertThat(DEFAULTS.scaled(1)).isEqualTo(DEFAULTS);
  }

  @Test
  void scaled_far_keepsHoldersUntilATimeThatCanBeCounted() {
    LedgerSettings scaled = DEFAULTS.scaled(100_000);
    long now = 4_000_000_000L * 1_000_000_000L;

    assertThat(scaled.retentionNanos()).isEqualTo(Limit.MAX_PERIOD_NANOS);
    assertThat(
            Holder.first(HolderId.of("a"), 1, 1, now)
                .withCells(List.of(LedgerCell.granted(1, 0, 1, now)))
                .forgettableFrom(scaled.retentionNanos()))
        .isGreaterThan(now);
  }

  @Test
  void answers_areGivenAhead_upToTenTimesAsUsual_butNoMoreThanOneAndAHalfLeases() {
    long usual = DEFAULTS.aheadNanos();

    assertThat(DEFAULTS.mostAheadNanos()).isEqualTo(10 * usual);
    assertThat(leasesOf(usual).mostAheadNanos()).isEqualTo(3 * usual / 2);
    assertThat(leasesOf(usual / 10).mostAheadNanos()).as("never less").isEqualTo(usual);
  }

  private static LedgerSettings leasesOf(long nanos) {
    return DEFAULTS.withValidity(new Validity(nanos, 0));
  }

  @Test
  void sharesAndRests_areOfLimitsThatHaveThem() {
    Limit window = new FixedWindow(100, 1_000_000_000L);
    Rule rule = Rule.of(new RuleId("test", "rule"), List.of("user"), window);
    Rule strict = rule.withEnforcement(Enforcement.STRICT);

    assertThat(DEFAULTS.letsSharesOf(window)).isTrue();
    assertThat(leasesOf(1).letsSharesOf(window)).isFalse();
    assertThat(DEFAULTS.letsRest(window, strict)).isTrue();
    assertThat(DEFAULTS.letsRest(window, rule)).isFalse();
  }

  @Test
  void scaled_noFactor_isRefused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> DEFAULTS.scaled(0))
        .withMessageContaining("must be positive");
  }
}
