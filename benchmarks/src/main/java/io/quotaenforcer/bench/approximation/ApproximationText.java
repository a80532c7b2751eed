package io.quotaenforcer.bench.approximation;

import io.quotaenforcer.enforcer.text.TextTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Rows as a table, beside what was published for another traffic. */
record ApproximationText(PrintWriter out) {

  void print(List<Row> rows) {
    TextTable table =
        TextTable.ofFigures(
            "traffic",
            "counted",
            "sources that reach",
            "limit",
            "requests",
            "sources",
            "wrong",
            "let through",
            "held",
            "mean difference",
            "sources let through",
            "sources held");
    table.row(
        "published by Cloudflare, 2017",
        "?",
        "?",
        "?",
        "400,000,000",
        "270,000",
        "0.003 %",
        "?",
        "?",
        "6 %",
        "3",
        "0");
    for (Row row : rows) {
      table.row(
          row.traffic(),
          row.counted(),
          row.scope(),
          row.limit(),
          number(row.requests()),
          number(row.sources()),
          percent(row.wrongPct()),
          number(row.letThrough()),
          number(row.held()),
          String.format(Locale.ROOT, "%.1f %%", row.meanRateDifferencePct()),
          number(row.sourcesLetThrough()),
          number(row.sourcesHeld()));
    }
    table.lines().forEach(out::println);
    out.println();
    out.println("wrong: decided otherwise than by an exact log that counted the same requests");
    out.println(
        "mean difference: of estimate and exact count of the last period, mean over requests");
    out.println("sources let through, held: never throttled though it should be; the reverse");
    out.flush();
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String percent(double percent) {
    return String.format(Locale.ROOT, "%.4f %%", percent);
  }
}
