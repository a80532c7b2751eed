package io.quotaenforcer.lab.outage;

import io.quotaenforcer.lab.limits.LimitKind;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The effect of one fault on one limit. Percentages are of what an exact counter of the same
 * requests admits, but for {@code overPct}; seconds without a word are since the fault began.
 *
 * @param admittedPct from the begin of the fault until the first grant after its end
 * @param duringPct of that, from the fault's begin to its end; absent where it takes no time
 * @param recoveryPct of that, from the fault's end to the first grant after it; absent likewise
 * @param afterPct from that grant until nothing more was watched
 * @param overPct permits beyond what the limit allows, until the next fault, of the limit of a
 *     period
 * @param turnedAwayPct from the begin of the fault until nothing more was watched
 * @param withoutGrantSeconds longest time from an answer to the next admission after an answer
 * @param wholeAgainSeconds from the fault's end until the end of the last second that admitted less
 *     than 95 % of one before the fault, or of three quarters of the limit if it was less, up to
 *     the first grant and the next second that did
 * @param endSeconds when the fault ended
 * @param movedSeconds when another broker led the partition; absent if none did
 * @param takenOverSeconds when an enforcer was last told, before the grant, that the partition is
 *     its own
 * @param restoredSeconds when it had the ledger of the partition
 * @param answerSeconds when the first answer came after the longest silence, and the fault's end
 * @param grantSeconds when something was admitted after that answer
 */
public record OutageRow(
    Fault fault,
    LimitKind algorithm,
    Spread load,
    long limit,
    double admittedPct,
    @Nullable Double duringPct,
    @Nullable Double recoveryPct,
    double afterPct,
    double overPct,
    double turnedAwayPct,
    double withoutGrantSeconds,
    double wholeAgainSeconds,
    double endSeconds,
    @Nullable Double movedSeconds,
    @Nullable Double takenOverSeconds,
    @Nullable Double restoredSeconds,
    @Nullable Double answerSeconds,
    @Nullable Double grantSeconds) {
  private static final String FORMAT =
      "%-33s %-21s %-5s %5s | %6s %6s %6s %6s | %5s %6s | %5s %5s | %5s %5s %5s %5s %5s %5s";

  /** The columns of {@link #line}. */
  public static final String HEADER =
      String.format(
          Locale.ROOT,
          FORMAT,
          "fault",
          "algorithm",
          "load",
          "limit",
          "admit%",
          "during",
          "recov.",
          "after",
          "over%",
          "away%",
          "none",
          "whole",
          "end",
          "moved",
          "taken",
          "rest.",
          "answ.",
          "grant");

  /** The fault and the limit, in words. */
  public String name() {
    return "%s, %s, %s, %d per 1 s"
        .formatted(fault.label(), algorithm.label(), load.label(), limit);
  }

  /** Whether each holder of an even part has a hundred permits in a period. */
  public boolean isLarge() {
    return new StrictLimit(algorithm, load, limit).isLarge();
  }

  /** A line of a table with {@link #HEADER}. */
  public String line() {
    return String.format(
        Locale.ROOT,
        FORMAT,
        fault.label(),
        algorithm.label(),
        load.label(),
        limit,
        text(admittedPct),
        text(duringPct),
        text(recoveryPct),
        text(afterPct),
        text(overPct),
        text(turnedAwayPct),
        text(withoutGrantSeconds),
        text(wholeAgainSeconds),
        text(endSeconds),
        text(movedSeconds),
        text(takenOverSeconds),
        text(restoredSeconds),
        text(answerSeconds),
        text(grantSeconds));
  }

  private static String text(@Nullable Double figure) {
    return figure == null ? "-" : String.format(Locale.ROOT, "%.1f", figure);
  }
}
