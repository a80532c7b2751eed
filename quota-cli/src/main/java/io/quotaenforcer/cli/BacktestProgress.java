package io.quotaenforcer.cli;

import io.quotaenforcer.cli.log.ProgressBar;
import io.quotaenforcer.core.backtest.Totals;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/** Shows a back-test that takes a while on the error stream. */
final class BacktestProgress {
  private static final long TERMINAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final PrintWriter err;
  private final ProgressBar bar;
  private final long everyNanos;
  private long shownNanos = System.nanoTime();
  private boolean shown;

  BacktestProgress(PrintWriter err, boolean terminal) {
    this.err = err;
    this.bar = new ProgressBar(terminal);
    this.everyNanos = terminal ? TERMINAL_NANOS : LINE_NANOS;
  }

  void at(double share, long lines, Totals totals) {
    long now = System.nanoTime();
    if (now - shownNanos >= everyNanos) {
      shownNanos = now;
      shown = true;
      err.print(bar.frame(share, lines, totals.admitted(), totals.throttled()));
      err.flush();
    }
  }

  void end() {
    if (shown) {
      err.print(bar.end());
      err.flush();
    }
  }
}
