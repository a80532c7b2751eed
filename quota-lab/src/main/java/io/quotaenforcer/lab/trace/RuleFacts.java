package io.quotaenforcer.lab.trace;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Algorithm;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitTerms;
import io.quotaenforcer.core.algorithm.LimitTerms.Refill;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Opening;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.OverrideEffect.Denied;
import io.quotaenforcer.core.rule.OverrideEffect.Limited;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The facts of one rule in a trace.
 *
 * @param algorithm as written in rules
 * @param permits per period, tolerance included
 * @param burst most permits at one instant
 * @param initial initial tokens of a token bucket; 0 for others
 * @param refill of a token bucket, greedy or interval; greedy for others
 * @param warmUpMicros warm-up of a token bucket that starts cold; 0 for others
 * @param slots of sliding sub-windows; 0 for others
 * @param countThrottled whether a log counts throttled requests
 * @param calendarUnit of windows of the calendar, day for example; null for windows of one length,
 *     whose longest is the period for those
 * @param zone whose calendar it is; null for windows of one length
 * @param enforcement strict, balanced or per-instance
 * @param openingBasisPoints share of the limit that an instance opens, in hundredths of a percent;
 *     null for a tenth divided by the maximum of instances
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
    @Nullable String calendarUnit,
    @Nullable String zone,
    String enforcement,
    @Nullable Integer openingBasisPoints) {
  private static final long MICRO = 1_000;

  static RuleFacts of(Rule rule) {
    return of(rule, rule.limits().get(0));
  }

  /**
   * The facts of a rule for one of its quota keys.
   *
   * @param limit of the quota key, with override and tolerance
   */
  static RuleFacts of(Rule rule, Limit limit) {
    LimitTerms terms = limit.terms();
    Windows.Calendar calendar = terms.windows() instanceof Windows.Calendar found ? found : null;
    if (limit.periodNanos() % MICRO != 0 || limit.borderNanos() % MICRO != 0) {
      throw new IllegalArgumentException("must be whole microseconds to be traced: limit=" + limit);
    }
    return new RuleFacts(
        rule.id().toString(),
        word(terms.algorithm()),
        terms.permits(),
        limit.periodNanos() / MICRO,
        limit.capacity(),
        terms.initial(),
        word(terms.refill()),
        terms.warmUpNanos() / MICRO,
        terms.slots(),
        terms.countThrottled(),
        calendar == null ? null : word(calendar.unit()),
        calendar == null ? null : calendar.zone().getId(),
        word(rule.enforcement()),
        rule.opening() instanceof Opening.Part part ? part.basisPoints() : null);
  }

  /** The same facts without counting throttled requests. */
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
        calendarUnit,
        zone,
        enforcement,
        openingBasisPoints);
  }

  /** Whether permits belong to windows, and so have labels. */
  boolean hasWindows() {
    return algorithm.equals("fixed-window");
  }

  /** A limit as the traced one. */
  Limit toLimit() {
    LimitTerms terms =
        LimitTerms.of(constant(Algorithm.class, algorithm), permits, windows())
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
    return terms.toLimit();
  }

  private Windows windows() {
    return calendarUnit == null || zone == null
        ? new Windows.Aligned(periodMicros * MICRO)
        : new Windows.Calendar(constant(Windows.CalendarUnit.class, calendarUnit), ZoneId.of(zone));
  }

  /**
   * A rule that a verdict judges like the traced one.
   *
   * @param overridden facts of this rule's quota keys with other limits
   * @param denied this rule's quota keys with no permits
   */
  Rule toRule(Map<String, RuleFacts> overridden, Collection<String> denied) {
    List<RuleOverride> overrides = new ArrayList<>();
    overridden.forEach((key, facts) -> overrides.add(override(key, new Limited(facts.toLimit()))));
    denied.forEach(key -> overrides.add(override(key, new Denied())));
    List<String> names =
        overrides.isEmpty()
            ? List.of()
            : List.copyOf(new TreeSet<>(overrides.get(0).key().keySet()));
    return Rule.of(RuleId.parse(rule), names, toLimit())
        .withOverrides(overrides)
        .withEnforcement(constant(Enforcement.class, enforcement))
        .withOpening(
            openingBasisPoints == null ? Opening.SHARED : new Opening.Part(openingBasisPoints));
  }

  private static RuleOverride override(String key, OverrideEffect effect) {
    Map<String, Matcher> conditions = new HashMap<>();
    for (String value : QuotaKey.parse(key).values()) {
      // A trace has no attribute names, and only their order matters.
      conditions.put("attribute-%03d".formatted(conditions.size()), new Matcher.Exact(value));
    }
    return new RuleOverride(conditions, effect);
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
