package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.message.ClassDemand;
import io.quotaenforcer.core.rule.DemandClasses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Demand of each class of requests for one quota key, and the permits at hand that are kept for
 * those of the classes before theirs: as many as are likely to be asked for until more are granted.
 *
 * <p>{@link #asked}, {@link #askedBy}, {@link #noteCost}, {@link #await}, {@link #kept}, {@link
 * #keptOfLimit} and {@link #isClosed} may be called by any thread; the rest belongs to the owner of
 * the book.
 */
final class ClassDemands {
  private static final double DEVIATIONS = 2.5;

  /** Permits between two looks that are so many that threads count each for itself. */
  private static final long MANY = 1_000;

  /** Permits until the next grant below which a class asks for nothing. */
  private static final double NOTHING = 1e-3;

  private final DemandClasses classes;
  private final long leastNanos;
  private final AtomicLongArray asked;

  /** The count of {@link #asked} at which a class asks for many. */
  private final AtomicLongArray many;

  /** Counts all that is asked for once a class asked for many. */
  private volatile @Nullable ThreadCounts askedByThreads;

  private final int places;
  private final AtomicLongArray awaiting;
  private final DemandMeter[] meters;
  private final RequestCosts[] costs;
  private long measuredNanos = Long.MIN_VALUE;

  /** By class; replaced as a whole. */
  private volatile long[] kept;

  /** By class, as the newest answer says. */
  private volatile long[] keptOfLimit;

  /** A bit for each class that has no part in what is left. */
  private volatile int closed;

  private volatile long closedUntilNanos = Long.MIN_VALUE;

  /**
   * @param limitPermits of the key's limit, of which nothing else is known
   */
  ClassDemands(DemandClasses classes, BookContext context, long limitPermits, long now) {
    BookSettings settings = context.settings;
    int count = classes.size();
    this.classes = classes;
    this.leastNanos = settings.reportIntervalNanos() - settings.urgentIntervalNanos();
    this.asked = new AtomicLongArray(count);
    this.many = new AtomicLongArray(count);
    this.places = settings.spreading().places();
    this.awaiting = new AtomicLongArray(count);
    this.meters = new DemandMeter[count];
    noteMany();
    Arrays.setAll(
        meters, i -> new DemandMeter(settings.reportIntervalNanos(), context.pauses, now));
    this.costs = new RequestCosts[count];
    Arrays.setAll(costs, i -> new RequestCosts(0, now));
    this.kept = new long[count];
    this.keptOfLimit = withheld(limitPermits);
  }

  private long[] withheld(long permits) {
    long[] withheld = new long[classes.size()];
    Arrays.setAll(withheld, i -> classes.withheld(i, permits));
    return withheld;
  }

  /** Counts permits that a class asked for; a negative number of those that were put back. */
  void asked(int of, long permits) {
    ThreadCounts byThreads = askedByThreads;
    if (byThreads != null) {
      byThreads.add(of, permits);
    } else if (asked.addAndGet(of, permits) >= many.get(of)) {
      countByThreads();
    }
  }

  /** Takes note of what a request of a class costs, given permits or refused. */
  void noteCost(int of, long permits, long now) {
    costs[of].saw(permits, now);
  }

  private synchronized void countByThreads() {
    if (askedByThreads == null) {
      askedByThreads = new ThreadCounts(classes.size(), places);
    }
  }

  private void noteMany() {
    for (int i = 0; i < classes.size(); i++) {
      many.set(i, asked.get(i) + MANY);
    }
  }

  /** Permits that a class asked for so far. */
  long askedBy(int of) {
    ThreadCounts byThreads = askedByThreads;
    return asked.get(of) + (byThreads == null ? 0 : byThreads.get(of));
  }

  /**
   * Counts permits that a request of a class waits for; a negative number when it waits no more.
   */
  void await(int of, long permits) {
    awaiting.addAndGet(of, permits);
  }

  /** Permits at hand that a class leaves to those before it. */
  long kept(int of) {
    return kept[of];
  }

  /**
   * Permits that a class leaves to those before it, or may not have, out of a part of the limit.
   */
  long kept(int of, long limitPermits) {
    return Math.max(kept[of], classes.withheld(of, limitPermits));
  }

  /** Permits that a class leaves to others out of what is left of the limit. */
  long keptOfLimit(int of) {
    return Math.max(kept[of], keptOfLimit[of]);
  }

  /** Whether nothing of what is left is for a class. */
  boolean isClosed(int of, long now) {
    return now < closedUntilNanos && (closed & 1 << of) != 0;
  }

  /**
   * The enforcer says what is kept of the limit.
   *
   * @param remaining permits that are neither used nor held
   * @param untilNanos until when that is believed
   */
  void answered(List<Long> newKept, long remaining, long untilNanos) {
    if (newKept.size() != classes.size()) {
      return;
    }
    keptOfLimit = newKept.stream().mapToLong(Long::longValue).toArray();
    int lack = 0;
    for (int i = 0; i < newKept.size(); i++) {
      lack |= newKept.get(i) > remaining ? 1 << i : 0;
    }
    closed = lack;
    closedUntilNanos = lack == 0 ? Long.MIN_VALUE : untilNanos;
  }

  /**
   * Measures the demand of each class, not more often than that of all together.
   *
   * @param horizonNanos until more permits are granted
   */
  void measure(long horizonNanos, long now) {
    if (measuredNanos == Long.MIN_VALUE || now - measuredNanos >= leastNanos) {
      measuredNanos = now;
      for (int i = 0; i < meters.length; i++) {
        meters[i].measure(askedBy(i) + awaiting.get(i), typicalCost(i), now);
      }
      noteMany();
    }
    long[] newer = new long[meters.length];
    for (int i = 1; i < newer.length; i++) {
      newer[i] = PermitCount.plus(newer[i - 1], soon(i - 1, horizonNanos));
    }
    if (!Arrays.equals(newer, kept)) {
      kept = newer;
    }
  }

  private long typicalCost(int of) {
    return costs[of].cost().typical();
  }

  /** Permits that a class is likely to ask for within a time, or waits for. */
  private long soon(int of, long horizonNanos) {
    double expected = meters[of].perSecond() * horizonNanos / 1e9;
    double deviation = Math.sqrt(expected * typicalCost(of));
    long likely = expected < NOTHING ? 0 : (long) Math.ceil(expected + DEVIATIONS * deviation);
    return PermitCount.plus(likely, Math.max(0, awaiting.get(of)));
  }

  /**
   * Divides what is reported of all classes together.
   *
   * @param perSecond permits that all ask for
   * @param needed permits that requests of all wait for, or are owed
   */
  List<ClassDemand> divide(double perSecond, long needed) {
    List<ClassDemand> divided = new ArrayList<>(meters.length);
    double restPerSecond = perSecond;
    long rest = needed;
    for (int i = 0; i < meters.length; i++) {
      boolean isLast = i == classes.last();
      double demand = isLast ? restPerSecond : Math.min(restPerSecond, meters[i].perSecond());
      long waits = isLast ? rest : Math.min(rest, Math.max(0, awaiting.get(i)));
      divided.add(new ClassDemand(demand, waits));
      restPerSecond = Math.max(0, restPerSecond - demand);
      rest -= waits;
    }
    return divided;
  }
}
