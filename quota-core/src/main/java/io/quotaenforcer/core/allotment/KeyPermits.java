package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;

/** The permits of one quota key of one rule, resolved once and taken many times by any thread. */
public final class KeyPermits {
  private final AllotmentBook book;
  private final Rule rule;
  private final QuotaKey quotaKey;

  KeyPermits(AllotmentBook book, Rule rule, QuotaKey quotaKey) {
    this.book = book;
    this.rule = rule;
    this.quotaKey = quotaKey;
  }

  /** Takes all of {@code permits} or none; false when there is no room for them now. */
  public boolean tryAcquire(long permits, long now) {
    if (permits < 1) {
      throw new IllegalArgumentException("must be >= 1: permits=" + permits);
    }
    return book.take(rule, quotaKey, permits, now, AllotmentBook.Refusal.COUNT).cell() != null
        || rule.mode() == Mode.SHADOW;
  }

  public QuotaKey quotaKey() {
    return quotaKey;
  }
}
