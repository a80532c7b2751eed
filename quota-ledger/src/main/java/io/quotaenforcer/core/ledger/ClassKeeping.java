package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.DemandClasses;
import java.util.ArrayList;
import java.util.List;

/**
 * Permits of a limit that each class of requests leaves to others: those above its {@code up-to},
 * and those that the classes before it have reserved or are likely to ask for later, unless they
 * come back by then. Demand within the coming loops has been divided before.
 */
final class ClassKeeping {
  private static final double NANOS_PER_SECOND = 1e9;

  /** How far ahead a demand of now is thought to last. */
  private static final double MOST_AHEAD_NANOS = 60e9;

  private static final double DEVIATIONS = 3;

  /** Time over which an instance averages the demand that it reports, as standard deviations go. */
  private static final double MEASURED_SECONDS = 0.24;

  /** Requests that do not come by chance, at the most: in one case of fifty. */
  private static final double MOST_MISSING = 4;

  /** Standard deviations by which a demand of now may differ from that of a window by chance. */
  private static final double MOST_CHANCE = 4;

  /** Parts of a period after which what is asked for is compared with what comes back. */
  private static final int STEPS = 64;

  private ClassKeeping() {}

  /** By class; one 0 for a rule without classes. */
  static long[] of(WorkingLedger ledger, DemandClasses classes, LedgerSettings settings) {
    long[] kept = new long[Math.max(1, classes.size())];
    long forOthers = 0;
    for (int i = 0; i < classes.size(); i++) {
      kept[i] = Math.max(forOthers, classes.above(i, ledger.limit.capacity()));
      forOthers += forClass(ledger, i, classes, settings);
    }
    return kept;
  }

  /** The same as numbers of an answer; empty for a rule without classes. */
  static List<Long> toSay(WorkingLedger ledger, DemandClasses classes, LedgerSettings settings) {
    List<Long> kept = new ArrayList<>(classes.size());
    if (!classes.isEmpty()) {
      for (long each : of(ledger, classes, settings)) {
        kept.add(each);
      }
    }
    return kept;
  }

  private static long forClass(
      WorkingLedger ledger, int of, DemandClasses classes, LedgerSettings settings) {
    double usedLately = 0;
    double used = 0;
    double perSecond = 0;
    double byShares = 0;
    for (Holder holder : ledger.holders()) {
      boolean counts = holder.generation() == ledger.generation;
      if (counts && of < holder.report().classes().size() && !holder.isReplays()) {
        ClassReport report = holder.report().classes().get(of);
        double ofHolder = used(ledger, holder, report);
        boolean isAlive = Needs.isAlive(ledger, holder, settings);
        perSecond += isAlive ? report.perSecond() : 0;
        usedLately += isAlive || mayAskAgain(ledger, holder, ofHolder) ? ofHolder : 0;
        used += ofHolder;
        // A share serves the first class only.
        byShares += of == 0 && isAlive ? fromShare(ledger, holder, report.perSecond()) : 0;
      }
    }
    double reserved = classes.reserved(of, ledger.limit.capacity()) - used;
    SharesAhead shares = of == 0 ? SharesAhead.of(ledger, settings) : SharesAhead.NONE;
    double later = later(ledger, perSecond, usedLately, shares) - byShares;
    return (long) Math.max(0, Math.max(reserved, later));
  }

  /**
   * By class, which part of what is asked for the limit can serve at its rate, one class after the
   * other; empty for a rule without classes.
   */
  static double[] servedParts(
      WorkingLedger ledger, DemandClasses classes, LedgerSettings settings) {
    double[] asked = new double[classes.size()];
    for (Holder holder : ledger.holders()) {
      boolean counts = holder.generation() == ledger.generation && !holder.isReplays();
      if (counts && Needs.isAlive(ledger, holder, settings)) {
        List<ClassReport> reports = holder.report().classes();
        for (int i = 0; i < Math.min(asked.length, reports.size()); i++) {
          asked[i] += reports.get(i).perSecond();
        }
      }
    }
    double[] parts = new double[asked.length];
    double left = ledger.limit.permits() * NANOS_PER_SECOND / ledger.limit.periodNanos();
    for (int i = 0; i < parts.length; i++) {
      parts[i] = asked[i] <= left ? 1 : Math.max(0, left) / asked[i];
      left -= asked[i];
    }
    return parts;
  }

  /** The part of a holder's demand that is served, given the part served of each class. */
  static double servedPart(Holder holder, double[] parts) {
    List<ClassReport> reports = holder.report().classes();
    if (parts.length == 0 || reports.size() != parts.length || holder.demandPerSecond() <= 0) {
      return 1;
    }
    double served = 0;
    for (int i = 0; i < parts.length; i++) {
      served += parts[i] * reports.get(i).perSecond();
    }
    return Math.min(1, served / holder.demandPerSecond());
  }

  /**
   * Permits that are likely to be asked for before as many are there again, whoever used those: the
   * first classes get what comes back. In a lull that is chance the classes after it would take
   * what is kept, and it would not come back in time. What is kept for nothing is theirs little by
   * little.
   */
  private static double later(
      WorkingLedger ledger, double perSecond, double usedLately, SharesAhead shares) {
    if (renewsAllTheTime(ledger.limit)) {
      return 0;
    }
    if (ClassReport.renewsAtOnce(ledger.limit)) {
      return inRestOfWindow(ledger, perSecond, usedLately, secondsAhead(ledger));
    }
    double period = ledger.limit.periodNanos();
    double usualPerSecond = usedLately * NANOS_PER_SECOND / period;
    double most = 0;
    for (int step = 1; step < STEPS; step++) {
      double part = (double) step / STEPS;
      double ahead = Math.min(MOST_AHEAD_NANOS, part * period);
      // The further ahead, the less says what is asked for just now.
      double seconds = (1 - part) * ahead / NANOS_PER_SECOND;
      double usual = Math.max(0, part * ahead / NANOS_PER_SECOND * usualPerSecond);
      double beside = perSecond * seconds + usual - shares.within((long) ahead);
      double asked = likely(Math.max(0, beside), perSecond, seconds, MEASURED_SECONDS);
      most = Math.max(most, asked - ledger.comingBack((long) ahead));
    }
    return most;
  }

  /**
   * Permits that a holder is likely to take of its share in the rest of a window, instead of those
   * that are left of the limit.
   */
  private static double fromShare(WorkingLedger ledger, Holder holder, double perSecond) {
    return ClassReport.renewsAtOnce(ledger.limit)
        ? Math.min(UnusedShares.of(ledger, holder), perSecond * secondsAhead(ledger))
        : 0;
  }

  private static double secondsAhead(WorkingLedger ledger) {
    return Math.min(MOST_AHEAD_NANOS, leftOfWindow(ledger)) / NANOS_PER_SECOND;
  }

  /**
   * What is expected, and as much again as may come by chance: requests do not come evenly, nor did
   * those that were measured.
   *
   * @param measuredPerSecond a demand that was measured
   * @param seconds for which it is thought to last
   * @param measured seconds over which it was measured
   */
  private static double likely(
      double expected, double measuredPerSecond, double seconds, double measured) {
    double unsure = seconds * seconds * measuredPerSecond / measured;
    return expected + DEVIATIONS * Math.sqrt(expected + unsure);
  }

  /**
   * Whether a holder without demand just now is likely to ask again: it is not silent for longer
   * than chance explains.
   */
  private static boolean mayAskAgain(WorkingLedger ledger, Holder holder, double used) {
    long reported = holder.lastReportNanos();
    Limit limit = ledger.limit;
    double nanos =
        ClassReport.renewsAtOnce(limit)
            ? Math.max(
                MEASURED_SECONDS * NANOS_PER_SECOND, reported - limit.windowStart(ledger.now))
            : limit.periodNanos();
    return used / nanos * Math.max(0, ledger.now - reported) <= MOST_MISSING;
  }

  /**
   * By the demand of the class in the window so far, which is known better than that of now; unless
   * that of now differs by more than chance explains.
   */
  private static double inRestOfWindow(
      WorkingLedger ledger, double perSecond, double used, double seconds) {
    long start = ledger.limit.windowStart(ledger.now);
    double known = MEASURED_SECONDS + ((double) ledger.now - start) / NANOS_PER_SECOND;
    double inWindow = (perSecond * MEASURED_SECONDS + used) / known;
    double chance = MOST_CHANCE * Math.sqrt(inWindow / MEASURED_SECONDS);
    return Math.abs(perSecond - inWindow) <= chance
        ? likely(inWindow * seconds, inWindow, seconds, known)
        : likely(perSecond * seconds, perSecond, seconds, MEASURED_SECONDS);
  }

  /** Permits that the class has probably used of the limit as it is now. */
  private static double used(WorkingLedger ledger, Holder holder, ClassReport report) {
    Limit limit = ledger.limit;
    if (renewsAllTheTime(limit)) {
      return 0;
    }
    long reported = holder.lastReportNanos();
    if (ClassReport.renewsAtOnce(limit)) {
      return reported < limit.windowStart(ledger.now) ? 0 : report.usedLately();
    }
    double periods = (double) Math.max(0, ledger.now - reported) / limit.periodNanos();
    return report.usedLately() * Math.exp(-periods);
  }

  private static boolean renewsAllTheTime(Limit limit) {
    return limit.isBucket() && !ClassReport.renewsAtOnce(limit);
  }

  private static double leftOfWindow(WorkingLedger ledger) {
    return (double) ledger.limit.windowEnd(ledger.limit.windowStart(ledger.now)) - ledger.now;
  }
}
