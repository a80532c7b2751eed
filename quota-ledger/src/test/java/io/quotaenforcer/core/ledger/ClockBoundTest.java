package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockBoundTest {
  private ClockBound bound = ClockBound.NONE;

  private void report(long sent, long delay) {
    bound = bound.seen(START + sent + delay, sent);
  }

  @Test
  void latest_nothingSeen_isNever() {
    assertThat(bound.latest(5)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void latest_severalReports_isByTheQuickest() {
    report(0, 40 * MILLI);
    report(50 * MILLI, 12 * MILLI);
    report(100 * MILLI, 70 * MILLI);
    assertThat(bound.latest(SECOND)).isEqualTo(START + SECOND + 12 * MILLI);
  }

  @Test
  void latest_quickestIsLongAgo_isForgotten() {
    report(0, 5 * MILLI);
    for (long sent = SECOND; sent < 25 * SECOND; sent += SECOND) {
      report(sent, 40 * MILLI);
    }
    assertThat(bound.latest(25 * SECOND)).isEqualTo(START + 25 * SECOND + 40 * MILLI);
  }

  @Test
  void latest_quickestIsSecondsAgo_stillCounts() {
    report(0, 5 * MILLI);
    for (long sent = SECOND; sent < 12 * SECOND; sent += SECOND) {
      report(sent, 40 * MILLI);
    }
    assertThat(bound.latest(12 * SECOND)).isEqualTo(START + 12 * SECOND + 5 * MILLI);
  }
}
