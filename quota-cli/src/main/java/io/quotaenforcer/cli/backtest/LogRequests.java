package io.quotaenforcer.cli.backtest;

import io.quotaenforcer.cli.log.LogLine;
import io.quotaenforcer.cli.log.LogReader;
import io.quotaenforcer.core.backtest.Backtest;
import io.quotaenforcer.enforcer.backtest.BacktestInput;
import io.quotaenforcer.enforcer.backtest.InputTally;
import java.io.IOException;
import java.util.Optional;

/** The requests of an access log. */
public final class LogRequests {
  private static final int LINES_BETWEEN_LOOKS = 1_000;

  private LogRequests() {}

  /** Hears how far a log is. */
  @FunctionalInterface
  public interface Progress {
    /** Reports the share read so far, from 0 to 1. Called often. */
    void at(double share, long lines);
  }

  /**
   * Runs a log from its first line to its last.
   *
   * @throws IOException if it cannot be read to its end, or no line of it is a request
   */
  public static BacktestInput run(
      LogReader reader, String name, Backtest backtest, Progress progress) throws IOException {
    InputTally tally = new InputTally(name, "lines");
    long lines = 0;
    boolean any = false;
    for (Optional<LogLine> line = reader.next(); line.isPresent(); line = reader.next()) {
      if (line.get() instanceof LogLine.Parsed parsed) {
        tally.request(parsed.request());
        any = true;
        backtest.add(parsed.request(), parsed.timeNanos());
      } else if (line.get() instanceof LogLine.Unparsed unparsed) {
        tally.unreadable("line " + unparsed.lineNumber(), unparsed.reason());
      }
      if (++lines % LINES_BETWEEN_LOOKS == 0) {
        progress.at(reader.progress(), lines);
      }
    }
    BacktestInput input = tally.input();
    if (!any) {
      throw new IOException(
          input.firstUnreadable().stream()
              .findFirst()
              .map(
                  it ->
                      "no line can be read in this format; %s %s"
                          .formatted(it.place(), it.reason()))
              .orElse("the log has no lines"));
    }
    return input;
  }
}
