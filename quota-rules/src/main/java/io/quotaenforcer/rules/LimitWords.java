package io.quotaenforcer.rules;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitTerms;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.rules.RuleExplanation.Line;
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

  /** The limit, and a line for each override, within reason. */
  List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    lines.add(new Line("limit", limit()));
    for (RuleOverride override : rule.overrides().all()) {
      if (lines.size() > OVERRIDES_SHOWN) {
        int more = rule.overrides().all().size() - OVERRIDES_SHOWN;
        lines.add(new Line("override", "and %d more".formatted(more)));
        break;
      }
      lines.add(new Line("override", words(override)));
    }
    return lines;
  }

  String limit() {
    return words(rule.limit()) + tolerance();
  }

  static String words(RuleOverride override) {
    return YamlValues.match(override.key()) + ": " + words(override.effect());
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

  static String words(Limit limit) {
    LimitTerms terms = limit.terms();
    String permits = permits(limit.permits());
    String period = Words.per(limit);
    return switch (terms.algorithm()) {
      case FIXED_WINDOW ->
          terms.windows() instanceof Windows.Calendar calendar
              ? "%s in each %s of the calendar, %s (fixed window)"
                  .formatted(permits, period, calendar.zone())
              : "%s in each window of %s, counted from 1970-01-01 UTC (fixed window)"
                  .formatted(permits, period);
      case SLIDING_WINDOW -> "%s in any %s (sliding window)".formatted(permits, period);
      case SLIDING_SUB_WINDOWS ->
          "%s in the last %d parts of %s each (sliding sub-windows)"
              .formatted(permits, terms.slots(), Words.period(limit.borderNanos()));
      case SLIDING_LOG ->
          "%s in any %s whatsoever%s (sliding log)"
              .formatted(
                  permits, period, terms.countThrottled() ? ", throttled ones included" : "");
      case LEAKY_BUCKET ->
          "%s per %s, one after the other, and up to %s too early (leaky bucket)"
              .formatted(permits, period, number(terms.burst()));
      case TOKEN_BUCKET -> bucket(terms, period);
      case CONCURRENCY ->
          "%s of them run at a time, each for up to %s (slots)"
              .formatted(number(limit.permits()), Words.period(terms.maxHoldNanos()));
    };
  }

  private static String bucket(LimitTerms terms, String period) {
    String refill =
        terms.refill() == LimitTerms.Refill.INTERVAL
            ? "gets %s at the end of each %s"
            : "refills at %s per %s";
    String first =
        terms.initial() == terms.burst()
            ? ""
            : ", holds %s at first".formatted(number(terms.initial()));
    String warmUp =
        terms.warmUpNanos() == 0
            ? ""
            : ", from a third of that to all of it within %s of its first use"
                .formatted(Words.period(terms.warmUpNanos()));
    return "a bucket of %s that %s%s%s (token bucket)"
        .formatted(
            permits(terms.burst()),
            refill.formatted(number(terms.permits()), period),
            warmUp,
            first);
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
