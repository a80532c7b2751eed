package io.quotaenforcer.lab.command;

import io.quotaenforcer.cli.log.ProgressBar;
import io.quotaenforcer.lab.runlog.LogRun;
import io.quotaenforcer.lab.runlog.LogTally;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/** Shows a run on the error stream, so that the output has only the report. */
final class RunLogProgress implements LogRun.Progress {
  private static final long TERMINAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final PrintWriter err;
  private final ProgressBar bar;
  private final long everyNanos;
  private long shownNanos;

  RunLogProgress(PrintWriter err, boolean terminal) {
    this.err = err;
    this.bar = new ProgressBar(terminal);
    this.everyNanos = terminal ? TERMINAL_NANOS : LINE_NANOS;
    this.shownNanos = System.nanoTime() - everyNanos;
  }

  @Override
  public void step(String text) {
    err.println(text);
    err.flush();
  }

  @Override
  public void at(double share, LogTally tally) {
    long now = System.nanoTime();
    if (now - shownNanos >= everyNanos) {
      shownNanos = now;
      show(share, tally);
    }
  }

  @Override
  public void end(LogTally tally) {
    show(1, tally);
    err.print(bar.end());
    err.flush();
  }

  private void show(double share, LogTally tally) {
    err.print(bar.frame(share, tally.lines(), tally.admitted(), tally.throttled()));
    err.flush();
  }
}
