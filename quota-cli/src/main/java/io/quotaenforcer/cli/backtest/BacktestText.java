package io.quotaenforcer.cli.backtest;

import static io.quotaenforcer.cli.text.Figures.limit;
import static io.quotaenforcer.cli.text.Figures.number;

import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.enforcer.backtest.BacktestInput.Unreadable;
import io.quotaenforcer.enforcer.backtest.BacktestReport;
import io.quotaenforcer.enforcer.backtest.BacktestReport.AgainstReport;
import io.quotaenforcer.enforcer.backtest.BacktestReport.KeyChange;
import io.quotaenforcer.enforcer.backtest.BacktestReport.KeyReport;
import io.quotaenforcer.enforcer.backtest.BacktestReport.RuleChange;
import io.quotaenforcer.enforcer.backtest.BacktestReport.RuleReport;
import io.quotaenforcer.server.text.Printable;
import java.math.BigDecimal;
import java.util.Locale;

/** The report of a back-test as text. */
public final class BacktestText {
  private BacktestText() {}

  /**
   * The whole report, ready to print.
   *
   * @param unit of the input: lines or events
   */
  public static String report(BacktestReport report, String unit) {
    StringBuilder text = new StringBuilder();
    line(text, "%s, %s to %s", report.input(), report.first(), report.last());
    line(
        text,
        "%s %,d: admitted %,d, throttled %,d, matched no rule %,d, unreadable %,d%s",
        unit,
        report.read(),
        report.admitted(),
        report.throttled(),
        report.unmatched(),
        report.unreadable(),
        report.repeated() == 0 ? "" : ", repeated " + number(report.repeated()));
    for (Unreadable each : report.unreadableFirst()) {
      line(text, "  %s: %s", each.place(), each.reason());
    }
    AgainstReport against = report.against();
    if (against != null) {
      line(
          text,
          "before: admitted %,d, throttled %,d, matched no rule %,d",
          against.admitted(),
          against.throttled(),
          against.unmatched());
      line(
          text,
          "newly throttled %,d, newly admitted %,d",
          against.newlyThrottled(),
          against.newlyAdmitted());
    }
    append(text, rules(report));
    if (against != null) {
      append(text, changes(against));
    }
    if (!report.topKeys().isEmpty()) {
      append(text, keys(report));
    }
    if (against != null && !against.topKeys().isEmpty()) {
      append(text, keyChanges(against));
    }
    notes(text, report);
    if (report.nothingMatched()) {
      line(text, "NOTHING JUDGED: no rule matched any of the %s", unit);
    }
    return text.toString();
  }

  private static TextTable rules(BacktestReport report) {
    TextTable table =
        TextTable.ofFigures(
            "rule", "limit", "mode", "requests", "admitted", "throttled", "by others", "permits");
    for (RuleReport rule : report.perRule()) {
      table.row(
          rule.rule(),
          limit(rule.limit(), rule.periodSeconds()),
          rule.mode(),
          number(rule.requests()),
          number(rule.admitted()),
          number(rule.throttled()),
          number(rule.throttledByOthers()),
          number(rule.admittedPermits()));
    }
    return table;
  }

  private static TextTable changes(AgainstReport against) {
    TextTable table =
        TextTable.ofFigures(
            "change by rule",
            "requests before",
            "admitted before",
            "throttled before",
            "newly throttled",
            "newly admitted");
    for (RuleChange rule : against.perRule()) {
      table.row(
          rule.rule(),
          number(rule.requestsBefore()),
          number(rule.admittedBefore()),
          number(rule.throttledBefore()),
          number(rule.newlyThrottled()),
          number(rule.newlyAdmitted()));
    }
    return table;
  }

  private static TextTable keys(BacktestReport report) {
    TextTable table =
        TextTable.ofFigures(
            "quota keys throttled most", "requests", "admitted", "throttled", "by others");
    for (KeyReport key : report.topKeys()) {
      table.row(
          key.quotaKey(),
          number(key.requests()),
          number(key.admitted()),
          number(key.throttled()),
          number(key.throttledByOthers()));
    }
    return table;
  }

  private static TextTable keyChanges(AgainstReport against) {
    TextTable table =
        TextTable.ofFigures("quota keys that change most", "newly throttled", "newly admitted");
    for (KeyChange key : against.topKeys()) {
      table.row(key.quotaKey(), number(key.newlyThrottled()), number(key.newlyAdmitted()));
    }
    return table;
  }

  private static void notes(StringBuilder text, BacktestReport report) {
    for (RuleReport rule : report.perRule()) {
      if (rule.enforcement().equals("per-instance")) {
        line(
            text,
            "note: %s is per-instance; it was run as if one instance got every request",
            rule.rule());
      }
    }
    for (RuleReport rule : report.perRule()) {
      if (rule.rounded() > 0) {
        line(
            text,
            "note: %s decided %,d requests by rounded moments: of more than 100 in a period, each"
                + " counts up to %s longer, and more is throttled than by an exact log",
            rule.rule(),
            rule.rounded(),
            seconds(rule.periodSeconds() / 100));
      }
    }
    for (RuleReport rule : report.perRule()) {
      if (rule.penalties() > 0) {
        line(
            text,
            "note: %s started %,d penalties; what is refused under one counts as throttled",
            rule.rule(),
            rule.penalties());
      }
    }
    for (String note : report.unmatchedRules()) {
      line(text, "note: %s", note);
    }
    if (report.late() > 0) {
      line(
          text,
          "note: %,d requests came too late to be put in order;"
              + " each was decided at the time of the one before",
          report.late());
    }
    if (report.forgottenKeys() > 0) {
      line(
          text,
          "warning: too many quota keys are in use at once: %,d were forgotten, and more is"
              + " throttled than is said here",
          report.forgottenKeys());
    }
    if (!report.keysExact()) {
      line(text, "note: too many quota keys to count each; counts of single ones may be too low");
    }
  }

  private static String seconds(double seconds) {
    return BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString() + " s";
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(Printable.line(String.format(Locale.ROOT, format, values))).append('\n');
  }

  private static void append(StringBuilder text, TextTable table) {
    text.append('\n');
    table.lines().forEach(line -> text.append(line).append('\n'));
  }
}
