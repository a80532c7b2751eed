package io.quotaenforcer.lab.runlog;

import static io.quotaenforcer.cli.text.Figures.limit;
import static io.quotaenforcer.cli.text.Figures.number;
import static io.quotaenforcer.cli.text.Figures.percent;

import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.lab.runlog.LogReport.Client;
import io.quotaenforcer.lab.runlog.LogReport.RuleReport;
import io.quotaenforcer.lab.runlog.LogReport.UnparsedLine;
import io.quotaenforcer.lab.verdict.JudgementText;
import io.quotaenforcer.server.text.Printable;
import java.util.Locale;
import java.util.stream.Collectors;

/** The report of a log as text. */
public final class LogText {
  /** A period of fewer loops than this is short. */
  private static final int LOOPS_PER_PERIOD = 10;

  private static final String USED =
      """
      used: admitted, of what demand and limit allowed; more than 100 % by what is over, where each instance has the
      limit, and where a request that costs more than was left made room for smaller ones. away: throttled, of what an
      exact counter admits.
      """;

  private LogText() {}

  /** The whole report, ready to print. */
  public static String report(LogReport report) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "lines %,d: admitted %,d, throttled %,d, matched no rule %,d, unparsed %,d%n",
            report.lines(),
            report.admitted(),
            report.throttled(),
            report.unmatched(),
            report.unparsed()));
    text.append(
        String.format(
            Locale.ROOT,
            "one process would have admitted %,d; of these turned away %,d (%.2f %%); of quota keys"
                + " that never ask for more than nine tenths of their limit: %.2f %%%n",
            report.oneProcessAdmitted(),
            report.turnedAway(),
            report.turnedAwayPct(),
            report.innocentsTurnedAwayPct()));
    text.append(loop(report));
    for (UnparsedLine line : report.unparsedLines()) {
      text.append("  line ").append(line.lineNumber()).append(": ").append(line.reason());
      text.append('\n');
    }
    append(text, rules(report));
    text.append(USED).append(worstCase(report));
    if (!report.topClients().isEmpty()) {
      append(text, clients(report));
    }
    for (String note : report.unmatchedRules()) {
      text.append("note: ").append(Printable.line(note)).append('\n');
    }
    return report.judged()
        ? text.append(JudgementText.of(report.broken(), report.notJudged(), report.pace()))
            .toString()
        : text.append("NOTHING JUDGED: no rule matched any line\n").toString();
  }

  /** Permits move between instances once a loop: a window of a few loops cannot be used evenly. */
  private static String loop(LogReport report) {
    double loop = report.loopLogSeconds();
    String text =
        String.format(
            Locale.ROOT,
            "speed x %s: one loop, from report to answer, was %.1f s of the log's time;"
                + " 1 request in 100 waited longer than %.1f s%n",
            number(report.speed()),
            loop,
            report.waitLogSeconds());
    boolean tight =
        report.perRule().stream().anyMatch(rule -> rule.periodSeconds() < LOOPS_PER_PERIOD * loop);
    return tight
        ? text
            + "  A loop is long beside the rules' periods: requests wait, some into the next\n"
            + "  window, and what they admit differs from one process. Lower --speed for less.\n"
        : text;
  }

  private static TextTable rules(LogReport report) {
    TextTable table =
        TextTable.ofFigures(
            "rule",
            "limit",
            "kind",
            "requests",
            "admitted",
            "throttled",
            "one process",
            "over",
            "worst",
            "bound",
            "used",
            "away");
    for (RuleReport rule : report.perRule()) {
      table.row(
          rule.rule(),
          limit(rule.limit(), rule.periodSeconds()),
          rule.enforcement(),
          number(rule.requests()),
          number(rule.admitted()),
          number(rule.throttled()),
          number(rule.oneProcessAdmitted()),
          number(rule.over()),
          number(rule.worstOver()),
          number(rule.bound()),
          percent(rule.utilisation()),
          percent(rule.turnedAwayPct() / 100));
    }
    return table;
  }

  private static String worstCase(LogReport report) {
    String cases =
        report.perRule().stream()
            .filter(rule -> rule.worstCase() > 0)
            .map(rule -> rule.rule() + " " + number(rule.worstCase()))
            .collect(Collectors.joining(", "));
    return cases.isEmpty()
        ? ""
        : """
        bound: what worst may be: of a balanced rule what the quota key was asked for in one loop.
        worst case, if all instances opened a quota key at the same moment: %s
        """
            .formatted(cases);
  }

  private static TextTable clients(LogReport report) {
    TextTable table =
        TextTable.ofFigures("busiest quota keys", "requests", "admitted", "throttled");
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
