package io.quotaenforcer.core.ledger;

import java.util.Arrays;

/** What each holder needs for requests of one class: for sure, and as a margin. */
final class ClassNeeds {
  private final long[] sure;
  private final long[] margins;
  private final long kept;

  /**
   * @param kept of what is left of the limit, what the class leaves to others
   */
  ClassNeeds(int holders, long kept) {
    this.sure = new long[holders];
    this.margins = new long[holders];
    this.kept = kept;
  }

  void add(int holder, long permits, long margin) {
    sure[holder] = permits;
    margins[holder] = margin;
  }

  /** Lets those that expect no request have no more than so many permits as a margin. */
  void limitMargins(boolean[] sporadic, long most) {
    for (int i = 0; i < margins.length; i++) {
      margins[i] = sporadic[i] ? Math.min(margins[i], most) : margins[i];
    }
  }

  long kept() {
    return kept;
  }

  /** What all need for sure. */
  long sure() {
    return Arrays.stream(sure).sum();
  }

  long wanted(int holder) {
    return sure[holder] + margins[holder];
  }

  /** Of so many permits, the fair share of a holder. */
  long fair(int holder, long permits) {
    long left = permits - sure();
    return left < 0
        ? Math.min(sure[holder], FairShare.level(permits, sure))
        : sure[holder] + Math.min(margins[holder], FairShare.level(left, margins));
  }

  /** Of so many permits, what a holder is to have whatever becomes of those that are left over. */
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

  /** Of so many permits, those that all get together. */
  long served(long permits) {
    return Math.max(0, Math.min(permits, sure() + Arrays.stream(margins).sum()));
  }
}
