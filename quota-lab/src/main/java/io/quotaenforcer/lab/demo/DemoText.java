package io.quotaenforcer.lab.demo;

import static io.quotaenforcer.cli.text.Figures.limit;
import static io.quotaenforcer.cli.text.Figures.number;
import static io.quotaenforcer.cli.text.Figures.percent;

import io.quotaenforcer.cli.text.TextTable;
import io.quotaenforcer.lab.demo.DemoReport.RuleReport;
import io.quotaenforcer.lab.verdict.JudgementText;
import java.util.Locale;
import java.util.stream.Collectors;

/** A demo's report as text. */
public final class DemoText {
  private DemoText() {}

  /** The final verdict, ready to print. */
  public static String verdict(DemoReport report) {
    TextTable table =
        TextTable.ofFigures(
            "rule",
            "limit",
            "kind",
            "requests",
            "admitted",
            "throttled",
            "over",
            "worst",
            "bound",
            "used",
            "away",
            "innocents",
            "counted",
            "| delayed count:",
            "admitted",
            "over");
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
          percent(rule.utilisation()),
          percent(rule.turnedAwayPct() / 100),
          rule.innocentsAllowed() == 0 ? "-" : percent(rule.innocentsTurnedAwayPct() / 100),
          rule.countedExactly() ? "exactly" : "WRONGLY",
          "|",
          number(rule.delayedCountAdmitted()),
          number(rule.delayedCountOver()) + " (" + percent(rule.delayedCountOverShare()) + ")");
    }
    StringBuilder text = new StringBuilder();
    table.lines().forEach(line -> text.append(line).append('\n'));
    text.append(legend(report));
    text.append(
        String.format(
            Locale.ROOT,
            "innocents turned away, balanced rules: %.1f %%%n",
            report.innocentsTurnedAwayPct()));
    if (report.deferral().deferred() > 0) {
      text.append(deferral(report.deferral()));
    }
    return text.append(JudgementText.of(report.broken(), report.notJudged(), report.pace()))
        .toString();
  }

  private static String legend(DemoReport report) {
    return """

        limit: permits per key. over: permits above the limit, all keys and windows; worst: in one window of one key.
        bound: what worst may be: of a balanced rule what the key was asked for in one loop, of a strict one nothing.
        used: admitted, of what demand and limit allowed; more than 100 % by what is over. away: throttled, of what an
        exact central counter of the same requests admits; innocents: of keys that never ask for more than 90 % of it.
        delayed count: the same requests decided from what all instances had admitted a moment ago.
        """
        + "worst case, if all instances opened a key at the same moment: %s%n"
            .formatted(worst(report))
        + String.format(
            Locale.ROOT,
            "permits granted over a limit: %s; admitted by the instances' own count: %s%n",
            number(report.grantedOver()),
            number(report.perRule().stream().mapToLong(RuleReport::opened).sum()))
        + String.format(
            Locale.ROOT,
            "loop (report to answer): p50 %.0f ms, p99 %.0f ms; labels outside their window: %d%n",
            report.loopMs().p50(),
            report.loopMs().p99(),
            report.mislabelled());
  }

  private static String worst(DemoReport report) {
    return report.perRule().stream()
        .filter(rule -> rule.worstCase() > 0)
        .map(rule -> rule.rule() + " " + number(rule.worstCase()))
        .collect(Collectors.joining(", "));
  }

  private static String deferral(DeferralFigures figures) {
    return String.format(
        Locale.ROOT,
        "deferred: %d mails of %d senders, each with %d/1s; replayed: %d; expired, as their deadline"
            + " passed: %d;%nlost: %d, duplicated: %d, out of order: %d%n",
        figures.deferred(),
        DeferralShow.SENDERS,
        DeferralShow.MAILS_PER_SECOND,
        figures.replayed(),
        figures.expired(),
        figures.lost(),
        figures.duplicated(),
        figures.outOfOrder());
  }
}
