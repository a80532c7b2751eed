package io.quotaenforcer.bench.accuracy;

import java.io.PrintWriter;
import java.util.List;

/** Rows as a table, and those that miss their target. */
record RowsText(PrintWriter out) {
  private static final String LINE = "%-48s %-9s %-19s %9s %9s %9s %9s %7s %8s";

  void print(List<Row> rows, List<Row> missed) {
    out.println(
        LINE.formatted(
            "scenario",
            "loop",
            "policy",
            "over %",
            "under %",
            "away %",
            "worst %",
            "loop",
            "target"));
    for (Row row : rows) {
      out.println(
          LINE.formatted(
              row.scenario().name(),
              row.loop(),
              row.policy().label(),
              "%.3f".formatted(row.overPct()),
              "%.3f".formatted(row.underPct()),
              "%.3f".formatted(row.turnedAwayPct()),
              "%.2f".formatted(row.worstOverPct()),
              "%.0f ms".formatted(row.loopMs()),
              target(row)));
    }
    out.println();
    out.println(missed.size() + " rows miss their target");
    for (Row row : missed) {
      boolean over = row.missed().equals("overPct");
      out.println(
          "  %s, loop %s, %s: %s, target %s"
              .formatted(
                  row.scenario().name(),
                  row.loop(),
                  row.policy().label(),
                  over
                      ? "%.3f %% over".formatted(row.overPct())
                      : "%.3f %% under".formatted(row.underPct()),
                  over ? "0" : target(row)));
    }
  }

  private static String target(Row row) {
    double target = row.scenario().underTarget(row.loop());
    return !row.policy().isAllotment() || Double.isNaN(target) ? "-" : "%.2f".formatted(target);
  }
}
