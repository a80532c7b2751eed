package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.cli.text.TextTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Rows for a person to read. */
public record RealText(PrintWriter out) {
  private static final String LEGEND =
      """

      over, worst: permits above the limit, of the limit;
      in all windows, and in the worst one. under: missing from what one process would have admitted of
      the same requests. away: throttled, though one process would have admitted that request. loop: from report to answer.
      decide: what a decision takes its caller. late: how much after its time a request was asked. cpu: of one core,
      used by the threads that ask, decisions included. -: there is none.
      """;

  /** Prints a table, what its columns are, and what is wrong with its rows. */
  public void print(List<RealRow> rows) {
    TextTable table =
        TextTable.ofFigures(
            "scenario",
            "policy",
            "over %",
            "under %",
            "away %",
            "worst %",
            "loop p50 ms",
            "p99",
            "decide p50 us",
            "p99",
            "late p99 ms",
            "cpu %");
    for (RealRow row : rows) {
      Figures figures = row.figures();
      boolean loops = row.loopMillis(50) > 0;
      table.row(
          row.trial().scenario().name(),
          row.trial().policy().label(),
          format("%.2f", figures.overPct()),
          format("%.2f", figures.underPct()),
          format("%.2f", figures.turnedAwayPct()),
          format("%.1f", figures.worstOverPct()),
          loops ? format("%.1f", row.loopMillis(50)) : "-",
          loops ? format("%.1f", row.loopMillis(99)) : "-",
          format("%.1f", row.decideMicros(50)),
          format("%.1f", row.decideMicros(99)),
          format("%.1f", row.lateMillis(99)),
          format("%.0f", figures.askingCpuPct()));
    }
    table.lines().forEach(out::println);
    out.println(LEGEND);
    out.println(verdict(rows));
  }

  private static String verdict(List<RealRow> rows) {
    long late = rows.stream().filter(RealRow::isLate).count();
    long miscounted = rows.stream().filter(row -> !row.isCountedExactly()).count();
    long mislabelled = rows.stream().mapToLong(row -> row.figures().mislabelled()).sum();
    String load =
        late == 0
            ? "The machine kept up with the load of every row."
            : late + " rows are of a load that this machine could not keep up with (late).";
    String counts =
        miscounted == 0
            ? "The enforcer counted exactly what was admitted."
            : miscounted + " rows were not counted exactly.";
    return load
        + " "
        + counts
        + (mislabelled == 0 ? "" : " Permits used outside their window: " + mislabelled + ".");
  }

  private static String format(String pattern, double figure) {
    return String.format(Locale.ROOT, pattern, figure);
  }
}
