package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.HolderId;
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
  void scaled_noFactor_isRefused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> DEFAULTS.scaled(0))
        .withMessageContaining("must be positive");
  }
}
