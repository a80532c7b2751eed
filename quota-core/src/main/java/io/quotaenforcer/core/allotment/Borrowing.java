package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.rule.RuleSet;
import org.jspecify.annotations.Nullable;

/**
 * Permits that quota keys of {@linkplain io.quotaenforcer.core.rule.Elastic elastic} rules take
 * beyond their limit. They are counted under a rule of their own, and the pool takes such a request
 * for one of its last class; the pool is asked after those who borrow of it. Safe for use by any
 * thread.
 */
final class Borrowing {
  private static final int NONE = -1;

  private final LiveKeys live;

  Borrowing(LiveKeys live) {
    this.live = live;
  }

  /**
   * Takes what a key has no room for; null when it may not borrow that much. The key is not asked
   * for what others may lend before an enforcer has said how it stands itself.
   */
  @Nullable Cell take(MatchedKeys keys, int index, long cost, long now, Refusal refusal) {
    KeyAllotment key = keys.get(index);
    int demandClass = keys.demandClass(index);
    RuleSet.Borrowing of = key.isAnswered() ? of(key) : null;
    int pool = of == null ? NONE : keys.indexOf(of.pool());
    if (of != null && pool != NONE) {
      LiveKeys.Taken taken =
          live.takeOfNewest(live.borrowing(key, of.rule(), now), cost, demandClass, now, refusal);
      if (taken.cell() != null) {
        keys.borrowed(index, key);
        if (key.terms().isShadow()) {
          keys.set(index, taken.allotment());
        } else {
          keys.borrow(index, taken.allotment(), pool);
        }
        return taken.cell();
      }
      if (refusal == Refusal.AWAIT && key.isUsedUp(cost, now)) {
        keys.set(index, taken.allotment());
      }
    }
    if (refusal == Refusal.COUNT) {
      key.refuse(cost, demandClass, now);
    }
    return null;
  }

  /**
   * Nothing was taken, as a key has no room; if that is a pool, whoever borrows of it is refused.
   *
   * @return the index of the key that refuses the request
   */
  int refuse(MatchedKeys keys, int index, long cost, long now) {
    int by = keys.borrowerOf(index);
    if (by != index) {
      keys.get(by).refuse(cost, keys.demandClass(by), now);
    }
    return by;
  }

  /**
   * The key that a request waits for: the given one, or the one by which it may borrow if the given
   * one is used up.
   */
  KeyAllotment orBorrower(MatchedKeys keys, int index, KeyAllotment key, long cost, long now) {
    RuleSet.Borrowing of = key.isElastic() && key.isUsedUp(cost, now) ? of(key) : null;
    int pool = of == null ? NONE : keys.indexOf(of.pool());
    if (of == null || pool == NONE) {
      return key;
    }
    KeyAllotment by = live.borrowing(key, of.rule(), now);
    keys.borrow(index, by, pool);
    return by;
  }

  private RuleSet.@Nullable Borrowing of(KeyAllotment key) {
    return live.inForce().rules().borrowing(key.quotaKey().rule());
  }
}
