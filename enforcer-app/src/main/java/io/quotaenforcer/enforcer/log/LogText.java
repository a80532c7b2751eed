package io.quotaenforcer.enforcer.log;

import static io.quotaenforcer.enforcer.text.Figures.limit;
import static io.quotaenforcer.enforcer.text.Figures.number;
import static io.quotaenforcer.enforcer.text.Figures.percent;

import io.quotaenforcer.enforcer.log.LogReport.Client;
import io.quotaenforcer.enforcer.log.LogReport.RuleReport;
import io.quotaenforcer.enforcer.log.LogReport.UnparsedLine;
import io.quotaenforcer.enforcer.text.TextTable;
import java.util.Locale;

/** The report of a log as text. */
public final class LogText {
  private LogText() {}

  /** The whole report, ready to print. */
  public static String report(LogReport report) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "lines %,d: admitted %,d (%,d of them matched no rule), throttled %,d, unparsed %,d%n",
            report.lines(),
            report.admitted(),
            report.unmatched(),
            report.throttled(),
            report.unparsed()));
    text.append(
        String.format(
            Locale.ROOT,
            "speed x %s: one loop was %.1f s of the log's time%n",
            number(Math.round(report.speed())),
            report.loopLogSeconds()));
    for (UnparsedLine line : report.unparsedLines()) {
      text.append("  line ").append(line.lineNumber()).append(": ").append(line.reason());
      text.append('\n');
    }
    append(text, rules(report));
    if (!report.topClients().isEmpty()) {
      append(text, clients(report));
    }
    return text.append(report.kept() ? "PROMISES KEPT" : "PROMISES BROKEN").append('\n').toString();
  }

  private static TextTable rules(LogReport report) {
    TextTable table = new TextTable();
    table.row(
        "rule",
        "limit",
        "kind",
        "requests",
        "admitted",
        "throttled",
        "over",
        "worst",
        "bound",
        "used");
    for (RuleReport rule : report.perRule()) {
      table.row(
          rule.rule(),
          limit(rule.limit(), rule.periodSeconds()),
          rule.enforcement(),
          number(rule.requests()),
          number(rule.admitted()),
          number(rule.throttled()),
          number(rule.over()),
          number(rule.worstOver()),
          number(rule.bound()),
          percent(rule.utilisation()));
    }
    return table;
  }

  private static TextTable clients(LogReport report) {
    TextTable table = new TextTable();
    table.row("busiest quota keys", "requests", "admitted", "throttled");
    for (Client client : report.topClients()) {
      table.row(
          client.quotaKey(),
          number(client.requests()),
          number(client.admitted()),
          number(client.throttled()));
    }
    return table;
  }

  private static void append(StringBuilder text, TextTable table) {
    text.append('\n');
    table.lines().forEach(line -> text.append(line).append('\n'));
    text.append('\n');
  }
}
