package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.rule.PenaltyTerms;
import java.util.ArrayList;
import java.util.List;

/**
 * What a quota key was throttled lately, and the penalty that this brought. Immutable.
 *
 * <p>Throttled permits are counted over the time {@code within} before now, in {@value #PARTS}
 * parts of it: one may be forgotten a part too early, never too late. Penalties are in a row as
 * long as a new one starts no later after the end of the one before than that one lasted.
 *
 * @param throttled counts that are not forgotten, oldest first
 * @param countedUntilNanos enforcer time at which the newest of them is forgotten
 * @param inARow penalties in a row, the last one included; 0 for none
 * @param untilNanos enforcer time at which the last penalty ends; 0 for none
 * @param lengthNanos how long the last penalty lasts
 */
public record PenaltyState(
    List<Throttled> throttled,
    long countedUntilNanos,
    int inARow,
    long untilNanos,
    long lengthNanos) {
  /** For a key that was not throttled. */
  public static final PenaltyState NONE = new PenaltyState(List.of(), 0, 0, 0, 0);

  /** Most counts that are kept. */
  public static final int PARTS = 16;

  /** What is throttled counts while at most a limit's capacity by this number is unused. */
  public static final int PART_UNUSED = 8;

  /** What was refused before a penalty was lifted may be reported for so long after it. */
  private static final long LIFTED_NANOS = 10_000_000_000L;

  /** After so many in a row the longest one is reached, whatever the factor. */
  private static final int MOST_IN_A_ROW = 1_000;

  /**
   * Permits that were throttled in a part of the time.
   *
   * @param atNanos enforcer time at which the part began
   * @param permits as many as bring a penalty at the most
   */
  public record Throttled(long atNanos, long permits) {}

  public PenaltyState {
    throttled = List.copyOf(throttled);
  }

  /** Whether everything is refused. */
  public boolean isInForce(long now) {
    return now < untilNanos;
  }

  /**
   * Permits were throttled: at {@link PenaltyTerms#after} of them a penalty starts. Those under one
   * do not count.
   */
  public PenaltyState with(long permits, PenaltyTerms terms, long now) {
    if (permits <= 0 || isInForce(now)) {
      return this;
    }
    List<Throttled> counts = counts(Math.min(permits, terms.after()), terms, now);
    long sum = counts.stream().mapToLong(Throttled::permits).sum();
    return sum >= terms.after()
        ? started(terms, now)
        : new PenaltyState(
            counts, later(now, terms.withinNanos()), inARow, untilNanos, lengthNanos);
  }

  private List<Throttled> counts(long permits, PenaltyTerms terms, long now) {
    List<Throttled> counts = new ArrayList<>(throttled);
    counts.removeIf(old -> now - old.atNanos() >= terms.withinNanos());
    int last = counts.size() - 1;
    boolean isSamePart =
        last >= 0 && now - counts.get(last).atNanos() < terms.withinNanos() / PARTS;
    if (isSamePart || counts.size() == PARTS) {
      Throttled newest = counts.get(last);
      long both = Math.min(newest.permits() + permits, terms.after());
      counts.set(last, new Throttled(newest.atNanos(), both));
    } else {
      counts.add(new Throttled(now, permits));
    }
    return counts;
  }

  private PenaltyState started(PenaltyTerms terms, long now) {
    boolean again = inARow > 0 && now <= rowEndsNanos();
    int row = again ? Math.min(inARow + 1, MOST_IN_A_ROW) : 1;
    long length = terms.lengthNanos(row);
    return new PenaltyState(List.of(), 0, row, later(now, length), length);
  }

  /** No penalty from now on, and none before it. */
  PenaltyState lifted(long now) {
    return isInForce(now) ? new PenaltyState(List.of(), 0, 0, now, LIFTED_NANOS) : NONE;
  }

  /** The same without what nothing depends on any more. */
  public PenaltyState at(long now) {
    boolean isOver = untilNanos > 0 && now > rowEndsNanos();
    boolean isForgotten = countedUntilNanos <= now && !throttled.isEmpty();
    if (!isOver && !isForgotten) {
      return this;
    }
    return new PenaltyState(
        isForgotten ? List.of() : throttled,
        isForgotten ? 0 : countedUntilNanos,
        isOver ? 0 : inARow,
        isOver ? 0 : untilNanos,
        isOver ? 0 : lengthNanos);
  }

  /** Enforcer time from which nothing of this matters any more. */
  public long forgettableFrom() {
    return Math.max(countedUntilNanos, untilNanos == 0 ? 0 : rowEndsNanos());
  }

  /** Enforcer time up to which a further penalty is in a row with the last one. */
  private long rowEndsNanos() {
    return later(untilNanos, lengthNanos);
  }

  private static long later(long nanos, long by) {
    return nanos > Long.MAX_VALUE - by ? Long.MAX_VALUE : nanos + by;
  }
}
