package io.quotaenforcer.enforcer.trace;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Algorithm;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitTerms;
import io.quotaenforcer.core.algorithm.LimitTerms.Refill;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Opening;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The facts of one rule in a trace.
 *
 * @param algorithm as rules spell it
 * @param permits per period, tolerance included
 * @param burst most permits at one instant
 * @param initial of a token bucket, what it holds at first; 0 for others
 * @param refill of a token bucket, greedy or interval; greedy for others
 * @param warmUpMicros of a token bucket that is cold at first; 0 for others
 * @param slots of sliding sub-windows; 0 for others
 * @param countThrottled whether a log counts what was throttled
 * @param enforcement strict, balanced or per-instance
 * @param openingBasisPoints how much of the limit an instance opens, in hundredths of a percent;
 *     null for a tenth, shared among the most instances
 */
public record RuleFacts(
    String rule,
    String algorithm,
    long permits,
    long periodMicros,
    long burst,
    long initial,
    String refill,
    long warmUpMicros,
    int slots,
    boolean countThrottled,
    String enforcement,
    @Nullable Integer openingBasisPoints) {
  private static final long MICRO = 1_000;

  static RuleFacts of(Rule rule) {
    if (!rule.overrides().isEmpty()) {
      throw new IllegalArgumentException("must have no overrides to be traced: rule=" + rule.id());
    }
    Limit limit = rule.limit();
    LimitTerms terms =
        limit
            .withPermits(limit.permits() + limit.permits() * rule.toleranceBasisPoints() / 10_000)
            .terms();
    if (!(terms.windows() instanceof Windows.Aligned)) {
      throw new IllegalArgumentException(
          "must have no calendar to be traced: rule=%s, limit=%s".formatted(rule.id(), limit));
    }
    if (limit.periodNanos() % MICRO != 0 || limit.borderNanos() % MICRO != 0) {
      throw new IllegalArgumentException("must be whole microseconds to be traced: limit=" + limit);
    }
    return new RuleFacts(
        rule.id().toString(),
        word(terms.algorithm()),
        terms.permits(),
        limit.periodNanos() / MICRO,
        burst(terms),
        terms.initial(),
        word(terms.refill()),
        terms.warmUpNanos() / MICRO,
        terms.slots(),
        terms.countThrottled(),
        word(rule.enforcement()),
        rule.opening() instanceof Opening.Part part ? part.basisPoints() : null);
  }

  /** A leaky bucket's burst is what waits beside the one that leaks. */
  private static long burst(LimitTerms terms) {
    return switch (terms.algorithm()) {
      case TOKEN_BUCKET -> terms.burst();
      case LEAKY_BUCKET -> terms.burst() + 1;
      case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_SUB_WINDOWS, SLIDING_LOG -> terms.permits();
    };
  }

  /** The same, but for what was throttled. */
  RuleFacts ofAdmissions() {
    return new RuleFacts(
        rule,
        algorithm,
        permits,
        periodMicros,
        burst,
        initial,
        refill,
        warmUpMicros,
        slots,
        false,
        enforcement,
        openingBasisPoints);
  }

  /** A rule that a verdict judges as it judged the traced one. */
  Rule toRule() {
    LimitTerms terms =
        LimitTerms.of(constant(Algorithm.class, algorithm), permits, periodMicros * MICRO)
            .withSlots(slots)
            .withCountThrottled(countThrottled);
    if (algorithm.equals("leaky-bucket")) {
      terms = terms.withBurst(burst - 1);
    } else if (isBucket()) {
      terms =
          terms
              .withBurst(burst)
              .withInitial(initial)
              .withRefill(constant(Refill.class, refill))
              .withWarmUp(warmUpMicros * MICRO);
    }
    return Rule.of(RuleId.parse(rule), List.of(), terms.toLimit())
        .withEnforcement(constant(Enforcement.class, enforcement))
        .withOpening(
            openingBasisPoints == null ? Opening.SHARED : new Opening.Part(openingBasisPoints));
  }

  /** Most that one may take in a period who comes to a key that was idle. */
  @JsonIgnore
  long mostInAPeriod() {
    if (refill.equals("interval")) {
      return burst;
    }
    // A full bucket gives its burst, and renews while it is used.
    return isBucket() ? permits + burst : permits;
  }

  @JsonIgnore
  private boolean isBucket() {
    return algorithm.equals("token-bucket") || algorithm.equals("leaky-bucket");
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String word) {
    return Enum.valueOf(type, word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
