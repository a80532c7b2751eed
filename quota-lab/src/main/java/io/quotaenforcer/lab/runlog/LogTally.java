package io.quotaenforcer.lab.runlog;

import io.quotaenforcer.cli.log.LogLine;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.lab.verdict.TurnedAway;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Counts the outcomes of a log's lines. Any thread may add. */
public final class LogTally {
  private static final int UNPARSED_SHOWN = 10;
  private static final int CLIENTS_SHOWN = 10;

  private final TopClients clients = new TopClients();
  private final List<LogReport.UnparsedLine> unparsedLines = new ArrayList<>();
  private final TurnedAway.Tally turnedAway = new TurnedAway.Tally();
  private long unparsed;
  private long admitted;
  private long throttled;
  private long unmatched;

  public synchronized void unparsed(LogLine.Unparsed line) {
    unparsed++;
    if (unparsedLines.size() < UNPARSED_SHOWN) {
      unparsedLines.add(new LogReport.UnparsedLine(line.lineNumber(), line.reason()));
    }
  }

  /**
   * A line was decided.
   *
   * @param allowed whether an exact counter that sees each line at its own time admits it
   */
  public synchronized void decided(Decision decision, boolean allowed) {
    if (decision.rule().isEmpty()) {
      unmatched++;
      return;
    }
    turnedAway.add(allowed, decision.admitted());
    if (decision.admitted()) {
      admitted++;
    } else {
      throttled++;
    }
    clients.count(decision.rule().get().quotaKey().toString(), decision.admitted());
  }

  /** Lines so far. */
  public synchronized long lines() {
    return unparsed + admitted + throttled + unmatched;
  }

  public synchronized long admitted() {
    return admitted;
  }

  public synchronized long throttled() {
    return throttled;
  }

  public synchronized Optional<LogReport.UnparsedLine> firstUnparsed() {
    return unparsedLines.stream().findFirst();
  }

  /** The report of everything that was added. */
  public synchronized LogReport report(LogOutcome outcome) {
    LogReport.Lines counts = new LogReport.Lines(unparsed, admitted, throttled, unmatched);
    return LogReport.of(
        counts, turnedAway.total(), outcome, clients.busiest(CLIENTS_SHOWN), unparsedLines);
  }
}
