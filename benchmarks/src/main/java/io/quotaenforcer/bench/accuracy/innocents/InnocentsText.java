package io.quotaenforcer.bench.accuracy.innocents;

import java.io.PrintWriter;
import java.util.List;

/** Rows for a person to read, and those that are short. */
public record InnocentsText(PrintWriter out) {
  private static final String LINE = "%-9s %-22s %9s %-26s %10s %10s %10s %9s %9s %7s %13s";

  private static final String LEGEND =
      """

      away: throttled, of what an exact central counter of the same requests admits; of users that never
      ask beyond their limit, of those that now and then do, and of abusers. over: admitted beyond the
      limit, of the same. loops: over in the first period from rest, in loops of what was asked then.
      wait: of innocents, p50 and p99.
      """;

  /** Prints a table, what its columns are, and which rows are short. */
  public void print(List<InnocentsRow> rows) {
    out.println(
        LINE.formatted(
            "innocents",
            "algorithm",
            "instances",
            "policy",
            "innocents",
            "at times",
            "abusers",
            "at times",
            "abusers",
            "abusers",
            "wait"));
    out.println(
        LINE.formatted(
            "", "", "", "", "away %", "away %", "away %", "over %", "over %", "loops", "ms"));
    for (InnocentsRow row : rows) {
      Case of = row.of();
      Figures atTimes = row.figures(UserClass.NOW_AND_THEN);
      Figures abusers = row.figures(UserClass.ABUSER);
      out.println(
          LINE.formatted(
              row.mode(),
              of.kind().label(),
              of.instances(),
              of.policy(),
              "%.3f".formatted(row.turnedAwayPct()),
              "%.3f".formatted(atTimes.turnedAwayPct()),
              "%.3f".formatted(abusers.turnedAwayPct()),
              "%.2f".formatted(atTimes.overPct()),
              "%.2f".formatted(abusers.overPct()),
              "%.2f".formatted(abusers.overLoops()),
              row.ifWaiting() == null ? "-" : waits(row.ifWaiting())));
    }
    out.println(LEGEND);
    long shortRows = rows.stream().filter(row -> !row.missed().isEmpty()).count();
    out.println(shortRows + " rows are short");
    for (InnocentsRow row : rows) {
      for (InnocentsRow.Missed missed : row.missed()) {
        out.println(
            "  short: %s, %s, %s: %s %.1f, target %.1f"
                .formatted(
                    row.mode(),
                    row.of().name(),
                    row.of().policy(),
                    missed.measure(),
                    missed.figure(),
                    missed.target()));
      }
    }
  }

  private static String waits(InnocentsRow.Waits waits) {
    return "%.0f, %.0f".formatted(waits.waitMsP50(), waits.waitMsP99());
  }
}
