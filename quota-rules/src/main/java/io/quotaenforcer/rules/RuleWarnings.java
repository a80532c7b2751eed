package io.quotaenforcer.rules;

import static io.quotaenforcer.rules.LimitWords.number;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Warns of effects that a rule's author may not have intended. */
final class RuleWarnings {
  /** Expected bound of a balanced rule, as a part of the limit. */
  private static final int USUAL_PART = 10;

  private static final int SHORT_PERIOD_LOOPS = 4;

  private RuleWarnings() {}

  static List<String> of(Rule rule, int maxInstances, DeclaredBound bound) {
    Limit limit = rule.limits().get(0);
    List<String> warnings = new ArrayList<>();
    if (limit.permits() == 0) {
      warnings.add("a limit of 0 admits nothing");
      return warnings;
    }
    switch (rule.enforcement()) {
      case STRICT -> strict(limit, maxInstances, warnings);
      case BALANCED -> balanced(rule, limit, maxInstances, bound, warnings);
      case PER_INSTANCE ->
          warnings.add(
              "%s instances together admit %s times the limit"
                  .formatted(number(maxInstances), number(maxInstances)));
    }
    if (rule.enforcement() != Enforcement.PER_INSTANCE && !(limit instanceof ConcurrencyLimit)) {
      loop(limit, maxInstances, warnings);
    }
    overrides(rule, maxInstances, bound, warnings);
    hashed(rule, warnings);
    return warnings;
  }

  /** Warns of conditions that only who has the value can try. */
  private static void hashed(Rule rule, List<String> warnings) {
    for (String attribute : new TreeSet<>(rule.key().hashed())) {
      if (rule.match().getOrDefault(attribute, new Matcher.Any()) instanceof Matcher.Any) {
        continue;
      }
      warnings.add(
          "%s is hashed, and the condition on it is tried where the value is, at the client: request events and replays carry the hash only, so that the rule does not count them"
              .formatted(attribute));
    }
  }

  private static void strict(Limit limit, int maxInstances, List<String> warnings) {
    if (limit.permits() < maxInstances) {
      warnings.add(
          "the limit is below the number of instances (%s): permits that one instance holds are missing at another, so some may go unused"
              .formatted(number(maxInstances)));
    }
  }

  private static void balanced(
      Rule rule, Limit limit, int maxInstances, DeclaredBound bound, List<String> warnings) {
    double expected = (double) limit.permits() * RuleExplanation.LOOP_NANOS / limit.periodNanos();
    boolean opens = bound.connected() > limit.permits() / USUAL_PART;
    if (opens && expected > (double) limit.permits() / USUAL_PART) {
      warnings.add(
          "clients whose demand is just the limit ask, in a loop of 50 ms, for more than 10 %% of the limit: that much may be admitted over it when a key is opened. In the worst case, when all of %s instances open it at the same moment, %s"
              .formatted(number(maxInstances), LimitWords.permits(bound.connected())));
    }
    if (limit.permits() < maxInstances && rule.onUnavailable() == OnUnavailable.LOCAL) {
      warnings.add(
          "the limit is below the number of instances (%s): while the enforcer is away each has a share of at least 1, which together is more than the limit"
              .formatted(number(maxInstances)));
    }
    if (rule.onUnavailable() == OnUnavailable.ALLOW) {
      warnings.add(
          "on-unavailable: allow has no bound: while the enforcer is away the rule limits nothing");
    }
  }

  private static void loop(Limit limit, int maxInstances, List<String> warnings) {
    if (limit instanceof WarmUpBucket || limit instanceof IntervalBucket) {
      leased(limit, maxInstances, warnings);
      return;
    }
    TokenBucket bucket = TokenBucket.in(limit).orElse(null);
    if (bucket != null) {
      double fillNanos = (double) bucket.capacity() * bucket.periodNanos() / bucket.permits();
      boolean isShared = fillNanos < RuleExplanation.LOOP_NANOS;
      if (isShared || bucket.capacity() < maxInstances) {
        warnings.add(
            "a burst of %s is small (%s): %s"
                .formatted(
                    number(bucket.capacity()),
                    isShared
                        ? "refilled within one loop of 50 ms"
                        : "below the number of instances, %s".formatted(number(maxInstances)),
                    isShared
                        ? shares(bucket, maxInstances)
                        : "permits go from instance to instance as whole ones, once in a loop, so that part of the rate goes unused"));
      }
    } else if (limit.periodNanos() < SHORT_PERIOD_LOOPS * RuleExplanation.LOOP_NANOS) {
      warnings.add(
          "a period of %s is only a few loops of 50 ms: part of the limit goes unused"
              .formatted(Words.per(limit)));
    }
  }

  /** Warns of a bucket that is never divided into rate shares. */
  private static void leased(Limit limit, int maxInstances, List<String> warnings) {
    double inALoop = (double) limit.permits() * RuleExplanation.LOOP_NANOS / limit.periodNanos();
    boolean isGreedy = limit instanceof WarmUpBucket;
    if (limit.capacity() < maxInstances || (isGreedy && limit.capacity() < 2 * inALoop)) {
      warnings.add(
          "a burst of %s is small: permits go from instance to instance as whole ones, once in a loop of 50 ms, so that part of the rate goes unused"
              .formatted(number(limit.capacity())));
    }
  }

  private static String shares(TokenBucket bucket, int maxInstances) {
    String holders =
        bucket.capacity() < maxInstances
            ? "up to %s instances at a time have".formatted(number(bucket.capacity()))
            : "each instance has";
    return "under load %s a share of rate and burst, and what comes to a full share while its instance has no requests goes unused"
        .formatted(holders);
  }

  private static void overrides(
      Rule rule, int maxInstances, DeclaredBound bound, List<String> warnings) {
    DeclaredBound largest = Bound.largest(rule, maxInstances);
    if (largest.connected() > bound.connected()) {
      warnings.add(
          "an override has a larger limit, and with it a bound of up to "
              + LimitWords.permits(largest.connected()));
    }
  }
}
