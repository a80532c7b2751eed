package io.quotaenforcer.lab.demo;

import static io.quotaenforcer.cli.text.Figures.number;
import static io.quotaenforcer.cli.text.Figures.percent;

import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.lab.verdict.RuleVerdict;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The demo's figures while it runs: on a terminal a table redrawn in place, else one plain line per
 * frame.
 */
public final class LiveTable {
  private static final String ESCAPE = "\u001b[";
  private static final String CLEAR_TO_END_OF_LINE = ESCAPE + "K";

  private final boolean terminal;
  private int drawnLines;

  public LiveTable(boolean terminal) {
    this.terminal = terminal;
  }

  /**
   * The text to print next.
   *
   * @param verdicts so far, one per rule
   * @param loopMs empty until a loop was measured
   */
  public String frame(long elapsedSeconds, List<RuleVerdict> verdicts, Optional<LoopTimes> loopMs) {
    return terminal
        ? table(elapsedSeconds, verdicts, loopMs)
        : line(elapsedSeconds, verdicts, loopMs);
  }

  /** The state of deferred requests in one line. */
  static String deferral(long elapsedSeconds, DeferralFigures deferral) {
    return String.format(
        Locale.ROOT,
        "%3d s | mails: deferred %d, waiting %d, replayed %d, expired %d%n",
        elapsedSeconds,
        deferral.deferred(),
        deferral.lost(),
        deferral.replayed(),
        deferral.expired());
  }

  private String table(
      long elapsedSeconds, List<RuleVerdict> verdicts, Optional<LoopTimes> loopMs) {
    TextTable table =
        TextTable.ofFigures("rule", "requests", "admitted", "throttled", "over", "utilisation");
    for (RuleVerdict rule : verdicts) {
      table.row(
          rule.rule().id().toString(),
          number(rule.requests()),
          number(rule.admitted()),
          number(rule.throttled()),
          number(rule.over()),
          percent(rule.utilisation()));
    }
    StringBuilder text = new StringBuilder();
    if (drawnLines > 0) {
      text.append(ESCAPE).append(drawnLines).append('A');
    }
    drawnLines = 0;
    for (String line : table.lines()) {
      append(text, line);
    }
    append(text, String.format(Locale.ROOT, "%d s, loop %s", elapsedSeconds, loop(loopMs)));
    return text.toString();
  }

  private void append(StringBuilder text, String line) {
    text.append(line).append(CLEAR_TO_END_OF_LINE).append('\n');
    drawnLines++;
  }

  private static String line(
      long elapsedSeconds, List<RuleVerdict> verdicts, Optional<LoopTimes> loopMs) {
    StringBuilder text = new StringBuilder();
    text.append(String.format(Locale.ROOT, "%3d s", elapsedSeconds));
    for (RuleVerdict rule : verdicts) {
      text.append(
          String.format(
              Locale.ROOT,
              " | %s: requests %d, admitted %d, throttled %d, over %d, utilisation %s",
              rule.rule().id().id(),
              rule.requests(),
              rule.admitted(),
              rule.throttled(),
              rule.over(),
              percent(rule.utilisation())));
    }
    return text.append(" | loop ").append(loop(loopMs)).append('\n').toString();
  }

  private static String loop(Optional<LoopTimes> loopMs) {
    return loopMs
        .map(ms -> String.format(Locale.ROOT, "p50 %.0f ms, p99 %.0f ms", ms.p50(), ms.p99()))
        .orElse("not measured yet");
  }
}
