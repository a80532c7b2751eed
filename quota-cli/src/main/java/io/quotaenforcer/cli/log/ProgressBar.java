package io.quotaenforcer.cli.log;

import java.util.Locale;

/** Progress of running a log: a bar redrawn in place on a terminal, else a plain line. */
public final class ProgressBar {
  private static final int WIDTH = 40;

  private final boolean terminal;

  public ProgressBar(boolean terminal) {
    this.terminal = terminal;
  }

  /**
   * The text to print next.
   *
   * @param progress from 0 to 1
   */
  public String frame(double progress, long lines, long admitted, long throttled) {
    double shown = Math.max(0, Math.min(1, progress));
    String figures =
        String.format(
            Locale.ROOT,
            "%3.0f %%  lines %,d, admitted %,d, throttled %,d",
            shown * 100,
            lines,
            admitted,
            throttled);
    if (!terminal) {
      return figures + "\n";
    }
    int full = (int) (shown * WIDTH);
    return "\r[" + "#".repeat(full) + "-".repeat(WIDTH - full) + "] " + figures + "\u001b[K";
  }

  /** Ends the bar's line, so that the next output begins on its own. */
  public String end() {
    return terminal ? "\n" : "";
  }
}
