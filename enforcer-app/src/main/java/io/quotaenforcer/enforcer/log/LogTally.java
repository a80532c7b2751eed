package io.quotaenforcer.enforcer.log;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.enforcer.verdict.RuleVerdict;
import java.util.ArrayList;
import java.util.List;

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
    if (decision.admitted()) {
      admitted++;
    } else {
      throttled++;
    }
    if (decision.rule().isPresent()) {
      String quotaKey = decision.rule().get().quotaKey().toString();
      clients.count(quotaKey, decision.admitted());
    } else {
      unmatched++;
    }
  }

  /** Lines so far. */
  public synchronized long lines() {
    return unparsed + admitted + throttled;
  }

  public synchronized long admitted() {
    return admitted;
  }

  public synchronized long throttled() {
    return throttled;
  }

  /**
   * The report of everything that was added.
   *
   * @param verdicts one per rule
   * @param loopLogSeconds how long one loop is in the log's time
   */
  public synchronized LogReport report(
      List<RuleVerdict> verdicts, double speed, double loopLogSeconds) {
    return new LogReport(
        lines(),
        unparsed,
        admitted,
        throttled,
        unmatched,
        speed,
        loopLogSeconds,
        verdicts.stream().allMatch(RuleVerdict::kept),
        verdicts.stream().map(LogReport.RuleReport::of).toList(),
        clients.busiest(CLIENTS_SHOWN),
        unparsedLines);
  }
}
