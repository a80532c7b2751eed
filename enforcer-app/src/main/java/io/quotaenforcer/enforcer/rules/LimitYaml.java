package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.Windows;

/** Writes limits as rule files have them. */
final class LimitYaml {
  private LimitYaml() {}

  static String of(Limit limit) {
    return Spelling.inBraces(LimitFields.SPELLINGS, limit.terms());
  }

  /** {@code 1s}, or {@code month}. */
  static String per(Windows windows) {
    return windows instanceof Windows.Calendar calendar
        ? Words.of(calendar.unit())
        : Scalars.period(windows.longestNanos());
  }

  /** The same of a limit. */
  static String per(Limit limit) {
    return per(limit.terms().windows());
  }
}
