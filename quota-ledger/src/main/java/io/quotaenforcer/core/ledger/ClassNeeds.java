package io.quotaenforcer.core.ledger;

import java.util.Arrays;

/**
 * Permits that each holder needs for requests of one class: those it is certain to need, and a
 * margin.
 */
final class ClassNeeds {
  /** Times what one may have as a margin: half of what nobody needs. */
  private static final int PLENTY = 4;

  private final long[] sure;
  private final long[] margins;
  private final long[] costs;
  private final long[] atOnce;
  private final long kept;
  private final WholeRequests whole;

  /**
   * @param kept of what is left of the limit, what the class leaves to others
   * @param turns of holders whose requests cost more than is fair
   */
  ClassNeeds(int holders, long kept, WholeRequests.Turns turns) {
    this.sure = new long[holders];
    this.margins = new long[holders];
    this.costs = new long[holders];
    this.atOnce = new long[holders];
    this.kept = kept;
    this.whole = new WholeRequests(sure, atOnce, turns);
  }

  /**
   * Adds what a holder needs for sure, and a margin.
   *
   * @param cost permits of a request, 1 or more: a margin that is not given in full is of whole
   *     ones, or it would keep from others what admits nothing
   */
  void add(int holder, long permits, long margin, long cost) {
    sure[holder] = permits;
    margins[holder] = margin;
    costs[holder] = cost;
  }

  /** Of what a holder needs for sure, less than {@code permits} are of no use to it. */
  void addAtOnce(int holder, long permits) {
    atOnce[holder] = permits;
  }

  /**
   * Lets those that expect no request have no more than {@code most} permits as a margin; but a
   * request that costs more, if there is plenty for all of them.
   */
  void limitMargins(boolean[] sporadic, long most) {
    boolean isPlenty = Arrays.stream(costs).sum() <= most * PLENTY;
    for (int i = 0; i < margins.length; i++) {
      long ofNext = isPlenty && costs[i] > 1 ? costs[i] - sure[i] : 0;
      margins[i] = sporadic[i] ? margin(i, Math.max(most, ofNext)) : margins[i];
    }
  }

  private long margin(int holder, long most) {
    if (most >= margins[holder]) {
      return margins[holder];
    }
    long all = sure[holder] + Math.max(0, most);
    return costs[holder] <= 1
        ? most
        : Math.max(0, all / costs[holder] * costs[holder] - sure[holder]);
  }

  long kept() {
    return kept;
  }

  /** Permits that all holders together are certain to need. */
  long sure() {
    return Arrays.stream(sure).sum();
  }

  long wanted(int holder) {
    return sure[holder] + margins[holder];
  }

  /** A holder's fair share of the permits. */
  long fair(int holder, long permits) {
    long left = permits - sure();
    return left < 0
        ? whole.part(holder, permits, FairShare.level(permits, sure))
        : sure[holder] + margin(holder, FairShare.level(left, margins));
  }

  /**
   * The least that a holder gets of the permits, whoever gets those that are left over by rounding.
   */
  long atLeast(int holder, long permits) {
    long fair = fair(holder, permits);
    boolean isCovered = permits >= sure();
    long all = isCovered ? permits - sure() : permits;
    long[] wants = isCovered ? margins : sure;
    long level = FairShare.level(all, wants);
    if (level == Long.MAX_VALUE || wants[holder] < level) {
      return fair;
    }
    long served = Arrays.stream(wants).map(want -> Math.min(want, level)).sum();
    return served > all ? fair - 1 : fair;
  }

  /** How many of the permits all holders get together. */
  long served(long permits) {
    long left = permits - sure();
    long level = FairShare.level(left, margins);
    long spare = 0;
    for (int i = 0; left > 0 && i < margins.length; i++) {
      spare += margin(i, level);
    }
    return Math.max(0, Math.min(permits, sure() + spare));
  }
}
