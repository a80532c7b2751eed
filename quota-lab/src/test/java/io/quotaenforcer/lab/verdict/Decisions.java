package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.List;
import java.util.OptionalLong;

/** Decisions on one rule, written by hand; times in milliseconds since a window start. */
final class Decisions {
  static final long START = 1_700_000_000_000_000_000L;
  static final long MILLI = 1_000_000L;

  private final Rule rule;
  private final KeyTable keys;
  private final Verdict verdict;

  Decisions(Enforcement enforcement, Limit limit, VerdictTerms terms) {
    this(enforcement, limit, terms, List.of());
  }

  private Decisions(
      Enforcement enforcement, Limit limit, VerdictTerms terms, List<RuleOverride> overrides) {
    rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
            .withEnforcement(enforcement)
            .withOverrides(overrides);
    keys = new KeyTable(List.of(rule));
    verdict = new Verdict(List.of(rule), terms);
  }

  static Decisions of(Enforcement enforcement, Limit limit, RuleOverride... overrides) {
    return new Decisions(enforcement, limit, VerdictTerms.of(2, 10), List.of(overrides));
  }

  Decisions admit(long millis, String user, long cost) {
    return admit(millis, user, cost, windowMillis(millis));
  }

  Decisions admit(long millis, String user, long cost, long labelMillis) {
    long label = rule.limit() instanceof WindowedLimit ? START + labelMillis * MILLI : 0;
    return add(millis, 0, user, cost, PermitSource.GRANTED, label);
  }

  Decisions admitTimes(int times, long millis, String user) {
    for (int i = 0; i < times; i++) {
      admit(millis, user, 1);
    }
    return this;
  }

  /** An instance admits by its own count. */
  Decisions open(long millis, int instance, String user, long cost) {
    long label = rule.limit().cellWindow(START + windowMillis(millis) * MILLI);
    return add(millis, instance, user, cost, PermitSource.OPENING, label);
  }

  Decisions throttle(long millis, String user, long cost) {
    return add(millis, 0, user, cost, PermitSource.NONE, 0);
  }

  RuleVerdict judged() {
    return verdict.perRule().get(0);
  }

  /** As judged by a loop that was measured. */
  RuleVerdict judged(long loopMillis) {
    return verdict.perRule(OptionalLong.of(loopMillis * MILLI)).get(0);
  }

  private Decisions add(
      long millis, int instance, String user, long cost, PermitSource source, long label) {
    KeyEntry key = keys.of(QuotaKey.of(rule.id(), List.of(user)));
    verdict.accept(START + millis * MILLI, instance, key, cost, source, label);
    return this;
  }

  private long windowMillis(long millis) {
    long period = rule.limit().periodNanos() / MILLI;
    return Math.floorDiv(millis, period) * period;
  }
}
