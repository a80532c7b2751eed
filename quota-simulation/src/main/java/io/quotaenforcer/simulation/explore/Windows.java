package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import java.util.List;

/**
 * The windows of the permits that one request took, in one number: of the key that every request
 * has, and of one beside it where a pool lends.
 */
final class Windows {
  private static final int BITS = 4;
  private static final int ONE = (1 << BITS) - 1;

  /** Larger than any number. */
  static final int NUMBER_BITS = 3 * BITS;

  private Windows() {}

  /** The windows of an admitted request, counted from the first one. */
  static int of(List<RuleDecision> admitted, Setting setting) {
    int number = 0;
    for (RuleDecision each : admitted) {
      int window = window(each.windowStartNanos(), setting);
      QuotaKey key = each.quotaKey();
      number |=
          key.equals(setting.key)
              ? window
              : window << BITS | (1 + indexOf(key, setting)) << 2 * BITS;
    }
    return number;
  }

  private static int window(long startNanos, Setting setting) {
    return startNanos == 0 ? 0 : (int) ((startNanos - Setting.START) / setting.period);
  }

  private static int indexOf(QuotaKey key, Setting setting) {
    for (int i = 0; i < setting.beside.size(); i++) {
      if (setting.beside.get(i).key().equals(key)) {
        return i;
      }
    }
    throw new IllegalStateException("must be a quota key of the setting: key=" + key);
  }

  /** Of the key that every request has. */
  static int ofKey(int number) {
    return number & ONE;
  }

  /** Which of {@link Setting#beside} it took a permit of; -1 for none. */
  static int beside(int number) {
    return (number >>> 2 * BITS) - 1;
  }

  static int ofBeside(int number) {
    return number >>> BITS & ONE;
  }
}
