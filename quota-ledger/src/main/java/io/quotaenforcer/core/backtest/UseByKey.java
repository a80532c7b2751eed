package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Rule;
import java.util.Iterator;
import java.util.LinkedHashMap;

/** The use of all quota keys of one rule, in the order in which they were last asked for. */
final class UseByKey {
  private final Rule rule;
  private final LinkedHashMap<QuotaKey, KeyUse> uses = new LinkedHashMap<>(16, 0.75f, true);
  private long rounded;
  private long penalties;

  UseByKey(Rule rule) {
    this.rule = rule;
  }

  KeyUse of(QuotaKey key, long now) {
    KeyUse known = uses.get(key);
    if (known == null) {
      known = new KeyUse(rule, key, now);
      uses.put(key, known);
    }
    return known;
  }

  /** Notes that a request was decided by a key's use. */
  void decidedBy(KeyUse use) {
    rounded += use.isRounded() ? 1 : 0;
  }

  /** Notes that a request was throttled for want of room. */
  void throttledBy(KeyUse use, long cost, long now) {
    penalties += use.throttled(cost, now) ? 1 : 0;
  }

  /** Penalties that have started. */
  long penalties() {
    return penalties;
  }

  /** Requests that were decided by rounded moments. */
  long rounded() {
    return rounded;
  }

  /**
   * Forgets idle keys, starting with the least recently used, up to the first that must be
   * remembered.
   *
   * @return the number forgotten
   */
  int forgetIdle(int most, long now) {
    Iterator<KeyUse> eldest = uses.values().iterator();
    int forgotten = 0;
    while (forgotten < most && eldest.hasNext() && eldest.next().isIdle(now)) {
      eldest.remove();
      forgotten++;
    }
    return forgotten;
  }

  /** Forgets the key that was not asked for the longest. */
  void forgetEldest() {
    Iterator<KeyUse> eldest = uses.values().iterator();
    eldest.next();
    eldest.remove();
  }

  int size() {
    return uses.size();
  }
}
