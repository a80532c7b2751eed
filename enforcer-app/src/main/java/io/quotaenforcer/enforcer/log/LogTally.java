package io.quotaenforcer.enforcer.log;

import io.quotaenforcer.core.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Counts what became of each line of a log. Any thread may add. */
public final class LogTally {
  private static final int UNPARSED_SHOWN = 10;
  private static final int CLIENTS_SHOWN = 10;

  private final TopClients clients = new TopClients();
  private final List<LogReport.UnparsedLine> unparsedLines = new ArrayList<>();
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

  public synchronized void decided(Decision decision) {
    if (decision.rule().isEmpty()) {
      unmatched++;
      return;
    }
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
    return LogReport.of(counts, outcome, clients.busiest(CLIENTS_SHOWN), unparsedLines);
  }
}
