package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How much a rule allows, in plain words. */
final class LimitWords {
  private static final int OVERRIDES_SHOWN = 5;

  private final Rule rule;

  LimitWords(Rule rule) {
    this.rule = rule;
  }

  String limit() {
    return words(rule.limit()) + tolerance();
  }

  /** A text for each override, as far as a reader wants to know. */
  List<String> overrides() {
    List<String> texts = new ArrayList<>();
    for (RuleOverride override : rule.overrides().all()) {
      if (texts.size() == OVERRIDES_SHOWN) {
        texts.add("and %d more".formatted(rule.overrides().all().size() - OVERRIDES_SHOWN));
        break;
      }
      texts.add(RuleYaml.match(override.key()) + ": " + words(override.effect()));
    }
    return texts;
  }

  private static String words(OverrideEffect effect) {
    if (effect instanceof OverrideEffect.Limited limited) {
      return words(limited.limit());
    }
    return effect instanceof OverrideEffect.Exempt
        ? "exempt, neither limited nor counted"
        : "denied, every request is throttled";
  }

  static String permits(long permits) {
    return number(permits) + (permits == 1 ? " permit" : " permits");
  }

  /** With commas between thousands. */
  static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String words(Limit limit) {
    String period = Scalars.period(limit.periodNanos());
    if (limit instanceof TokenBucket bucket) {
      return "a bucket of %s that refills at %s per %s (token bucket)"
          .formatted(permits(bucket.capacity()), number(bucket.permits()), period);
    }
    String permits = permits(limit.permits());
    return limit instanceof FixedWindow
        ? "%s in each window of %s, counted from 1970-01-01 UTC (fixed window)"
            .formatted(permits, period)
        : "%s in any %s (sliding window)".formatted(permits, period);
  }

  private String tolerance() {
    if (rule.toleranceBasisPoints() == 0) {
      return "";
    }
    return ", and %s on top: %s in all"
        .formatted(
            Words.percent(rule.toleranceBasisPoints()), permits(rule.limits().get(0).permits()));
  }
}
