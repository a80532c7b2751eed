package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitTerms;
import io.quotaenforcer.core.algorithm.Windows;

/** Writes limits as rule files have them. */
final class LimitYaml {
  private LimitYaml() {}

  static String of(Limit limit) {
    LimitTerms terms = limit.terms();
    StringBuilder yaml = new StringBuilder("{permits: ").append(terms.permits());
    yaml.append(", per: ").append(per(terms.windows()));
    if (terms.windows() instanceof Windows.Calendar calendar) {
      yaml.append(", zone: ").append(RuleYaml.text(calendar.zone().getId()));
    }
    yaml.append(", algorithm: ").append(Words.of(terms.algorithm()));
    switch (terms.algorithm()) {
      case FIXED_WINDOW, SLIDING_WINDOW -> {}
      case SLIDING_SUB_WINDOWS -> yaml.append(", slots: ").append(terms.slots());
      case SLIDING_LOG -> yaml.append(terms.countThrottled() ? ", count-throttled: true" : "");
      case LEAKY_BUCKET -> yaml.append(", burst: ").append(terms.burst());
      case TOKEN_BUCKET -> bucket(terms, yaml);
    }
    return yaml.append('}').toString();
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

  private static void bucket(LimitTerms terms, StringBuilder yaml) {
    yaml.append(", burst: ").append(terms.burst());
    if (terms.initial() != terms.burst()) {
      yaml.append(", initial: ").append(terms.initial());
    }
    if (terms.refill() != LimitTerms.Refill.GREEDY) {
      yaml.append(", refill: ").append(Words.of(terms.refill()));
    }
    if (terms.warmUpNanos() > 0) {
      yaml.append(", warm-up: ").append(Scalars.period(terms.warmUpNanos()));
    }
  }
}
