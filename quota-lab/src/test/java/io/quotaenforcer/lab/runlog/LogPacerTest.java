package io.quotaenforcer.lab.runlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.cli.log.ProgressBar;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LogPacerTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long LOG_START = 807_256_800L * SECOND;

  @Test
  void due_atSpeed60_isOneSecondPerLogMinute() {
    LogPacer pacer = new LogPacer(60, 500);

    assertThat(pacer.dueNanos(LOG_START)).isEqualTo(500);
    assertThat(pacer.dueNanos(LOG_START + 60 * SECOND)).isEqualTo(500 + SECOND);
    assertThat(pacer.dueNanos(LOG_START + 3600 * SECOND)).isEqualTo(500 + 60 * SECOND);
  }

  @Test
  void due_lineOutOfOrder_isDueAtOnce() {
    LogPacer pacer = new LogPacer(1, 0);
    pacer.dueNanos(LOG_START);
    pacer.dueNanos(LOG_START + 10 * SECOND);

    assertThat(pacer.dueNanos(LOG_START + 7 * SECOND)).isEqualTo(10 * SECOND);
    assertThat(pacer.dueNanos(LOG_START - 7 * SECOND)).isEqualTo(10 * SECOND);
    assertThat(pacer.dueNanos(LOG_START + 11 * SECOND)).isEqualTo(11 * SECOND);
  }

  @Test
  void logTime_isTheInverseOfDue() {
    LogPacer pacer = new LogPacer(600, 77);
    pacer.dueNanos(LOG_START);
    long due = pacer.dueNanos(LOG_START + 4321 * SECOND);

    assertThat(pacer.logNanos(due)).isBetween(LOG_START + 4320 * SECOND, LOG_START + 4321 * SECOND);
    assertThat(pacer.logSeconds(50_000_000)).isEqualTo(30.0);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1e7})
  void speed_illegal_isRefused(double speed) {
    assertThatThrownBy(() -> new LogPacer(speed, 0))
        .hasMessage("must be > 0 and <= 1000000: speed=" + speed);
  }

  @Test
  void progress_onATerminal_isDrawnOver() {
    assertThat(new ProgressBar(true).frame(0.5, 1000, 700, 300))
        .isEqualTo(
            "\r[####################--------------------]  50 %  lines 1,000, admitted 700,"
                + " throttled 300\u001b[K");
    assertThat(new ProgressBar(true).end()).isEqualTo("\n");
  }

  @Test
  void progress_withoutTerminal_isAPlainLine() {
    assertThat(new ProgressBar(false).frame(1.2, 5, 5, 0))
        .isEqualTo("100 %  lines 5, admitted 5, throttled 0\n");
    assertThat(new ProgressBar(false).end()).isEmpty();
  }
}
