package io.quotaenforcer.cli.log;

import java.util.Locale;

/** How far a log has been run: a bar that is drawn over on a terminal, else a plain line. */
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

  /** What ends the bar, so that the next line begins on its own. */
  public String end() {
    return terminal ? "\n" : "";
  }
}
