package io.quotaenforcer.bench.adapt;

import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.simulation.overload.OverloadRow;
import java.util.Locale;

/** Rows of services in trouble as lines of text, and the targets that they are judged by. */
public final class OverloadText {
  private static final double SETTLED_SECONDS = 30;
  private static final double SWING = 0.1;
  private static final double GOOD = 0.9;

  private OverloadText() {}

  public static String head() {
    return "%-42s %7s %-32s %7s %6s %6s %8s %9s"
        .formatted(
            "trouble", "servers", "limit", "settled", "swing", "good", "without", "gradient2");
  }

  public static String line(OverloadRow row) {
    return String.format(
        Locale.ROOT,
        "%-42s %7d %-32s %5d s %5.1f%% %6.3f %8.3f %9.3f",
        row.trouble(),
        row.servers(),
        row.law(),
        row.settledSeconds(),
        100 * row.swing(),
        row.good(),
        row.without(),
        row.gradient2());
  }

  /**
   * Adds the targets of a row.
   *
   * @param way what their names begin with
   */
  public static void judge(String way, OverloadRow row, Targets targets) {
    String name = "%s%s, %d servers, %s: ".formatted(way, row.trouble(), row.servers(), row.law());
    targets.atMost(name + "seconds until it has settled", row.settledSeconds(), SETTLED_SECONDS);
    targets.atMost(name + "swing of what is let through", row.swing(), SWING);
    targets.atLeast(name + "answers in time, of the best fixed limit's", row.good(), GOOD);
  }
}
