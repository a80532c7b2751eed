package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.rule.Rule;
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
    KeyAllotment.Borrower by = key.isAnswered() ? of(keys, key, now) : null;
    int pool = by == null ? NONE : keys.indexOf(by.pool());
    if (by != null && pool != NONE) {
      LiveKeys.Taken taken = live.takeOfNewest(by.key(), cost, demandClass, now, refusal);
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
    KeyAllotment.Borrower by =
        key.isElastic() && key.isUsedUp(cost, now) ? of(keys, key, now) : null;
    int pool = by == null ? NONE : keys.indexOf(by.pool());
    if (by == null || pool == NONE) {
      return key;
    }
    keys.borrow(index, by.key(), pool);
    return by.key();
  }

  /** Null where it may not borrow. */
  private KeyAllotment.@Nullable Borrower of(MatchedKeys keys, KeyAllotment key, long now) {
    RuleSet rules = live.inForce().rules();
    KeyAllotment.Borrower known = key.borrower();
    return known != null && known.rules() == rules && !known.key().isRetired()
        ? known
        : lookUp(keys, key, rules, now);
  }

  private KeyAllotment.@Nullable Borrower lookUp(
      MatchedKeys keys, KeyAllotment key, RuleSet rules, long now) {
    RuleSet.Borrowing of = rules.borrowing(key.quotaKey().rule());
    if (of == null || keys.indexOf(of.pool()) == NONE) {
      return null;
    }
    Rule rule = of.rule();
    KeyAllotment by = live.findOrFull(rule, key.quotaKey().of(rule.id()), now);
    KeyAllotment.Borrower found = new KeyAllotment.Borrower(rules, of.pool(), by);
    key.borrowBy(found);
    return found;
  }
}
