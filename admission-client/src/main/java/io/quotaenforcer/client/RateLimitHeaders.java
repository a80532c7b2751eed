package io.quotaenforcer.client;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ThrottleReason;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A decision as fields of an HTTP response: {@code Retry-After} (RFC 9110), the common {@code
 * X-RateLimit-*}, and {@code RateLimit} with {@code RateLimit-Policy} of
 * draft-ietf-httpapi-ratelimit-headers-11.
 *
 * <p>All times are seconds from the decision (delay-seconds, never a date), rounded up. Quota units
 * are permits. Whatever is not known is left out: before the first quota snapshot of a quota key,
 * and of a request whose permits were not granted yet, there is neither {@code Remaining} nor
 * {@code Reset} nor a {@code RateLimit} item. Rules in shadow mode do not show. There is no
 * partition key ({@code pk}): the values of a quota key may be personal.
 *
 * <p>Pure functions, for any thread. Decisions that nobody asks for their headers cost nothing.
 */
public final class RateLimitHeaders {
  public static final String RETRY_AFTER = "Retry-After";
  public static final String X_LIMIT = "X-RateLimit-Limit";
  public static final String X_REMAINING = "X-RateLimit-Remaining";
  public static final String X_RESET = "X-RateLimit-Reset";
  public static final String X_RETRY_AFTER = "X-Ratelimit-Retry-After";
  public static final String POLICY = "RateLimit-Policy";
  public static final String LIMIT = "RateLimit";

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** A hundred years: the quota never gives that many permits at once. */
  private static final long NEVER_NANOS = 100L * 365 * 24 * 3600 * NANOS_PER_SECOND;

  /** Rules of which the state is known go first, then those with the least remaining. */
  private static final Comparator<RuleDecision> MOST_RESTRICTIVE =
      Comparator.comparing(RuleDecision::known)
          .reversed()
          .thenComparingLong(RuleDecision::remaining);

  private RateLimitHeaders() {}

  /**
   * The fields of a response, each policy under the id of its rule; where rules of several domains
   * have the same id, use {@link #of(Decision, Function)}.
   *
   * @return names and values, in the order in which they are usually sent; empty when no rule
   *     matched. Cannot be changed.
   */
  public static Map<String, String> of(Decision decision) {
    return of(decision, RuleId::id);
  }

  /**
   * The fields of a response, each policy under a name of the caller's.
   *
   * @param policyNames gives the name of a rule's policy, always the same for a rule
   * @return as {@link #of(Decision)}
   * @throws IllegalArgumentException when a name has other characters than printable ASCII
   */
  public static Map<String, String> of(Decision decision, Function<RuleId, String> policyNames) {
    List<RuleDecision> rules = decision.rules().stream().filter(rule -> !rule.shadow()).toList();
    Optional<RuleDecision> shown = rules.stream().min(MOST_RESTRICTIVE);
    if (shown.isEmpty()) {
      return Map.of();
    }
    Map<String, String> headers = new LinkedHashMap<>();
    RuleDecision rule = shown.get();
    boolean retries = !decision.admitted() && rule.retryAfterNanos() < NEVER_NANOS;
    String retryAfter = Long.toString(Math.max(1, seconds(rule.retryAfterNanos())));
    if (retries) {
      headers.put(RETRY_AFTER, retryAfter);
    }
    headers.put(X_LIMIT, Long.toString(rule.limit()));
    if (isTold(rule, decision)) {
      headers.put(X_REMAINING, Long.toString(remaining(rule)));
      headers.put(X_RESET, Long.toString(seconds(resetNanos(rule))));
    }
    if (retries) {
      headers.put(X_RETRY_AFTER, retryAfter);
    }
    StructuredList policies = new StructuredList();
    StructuredList limits = new StructuredList();
    for (RuleDecision each : rules) {
      String name = policyNames.apply(each.quotaKey().rule());
      policy(policies.item(name), each);
      if (isTold(each, decision)) {
        limits
            .item(name)
            .parameter("r", remaining(each))
            .parameter("t", seconds(renewsNanos(each, decision.admitted())));
      }
    }
    headers.put(POLICY, policies.toString());
    if (!limits.isEmpty()) {
      headers.put(LIMIT, limits.toString());
    }
    return Collections.unmodifiableMap(headers);
  }

  /** A window is whole seconds, or is not given: the draft knows no parts of a second. */
  private static void policy(StructuredList policies, RuleDecision rule) {
    policies.parameter("q", rule.limit());
    long period = rule.allowed().periodNanos();
    if (period % NANOS_PER_SECOND == 0) {
      policies.parameter("w", period / NANOS_PER_SECOND);
    }
  }

  /**
   * Whether the standing of a rule explains the answer. That of permits which are not granted yet
   * would contradict it: some are left, and yet the request was refused.
   */
  private static boolean isTold(RuleDecision rule, Decision decision) {
    return rule.known()
        && (decision.admitted()
            || ((rule.reason() == ThrottleReason.OVER_LIMIT
                    || rule.reason() == ThrottleReason.PENALTY)
                && rule.retryAfterNanos() < NEVER_NANOS));
  }

  /** Where a quota renews all the time, that is when there is room for the request. */
  private static long resetNanos(RuleDecision rule) {
    return rule.resetNanos() == 0 ? rule.retryAfterNanos() : rule.resetNanos();
  }

  /** The draft asks that Retry-After is not before the reset of the same response. */
  private static long renewsNanos(RuleDecision rule, boolean admitted) {
    return admitted ? rule.resetNanos() : Math.min(resetNanos(rule), rule.retryAfterNanos());
  }

  /** A time as headers say it: whole seconds, rounded up, at least 1. */
  public static long seconds(Duration time) {
    try {
      return Math.max(1, seconds(time.toNanos()));
    } catch (ArithmeticException e) {
      return Math.max(1, time.getSeconds());
    }
  }

  private static long remaining(RuleDecision rule) {
    return Math.max(0, rule.remaining());
  }

  private static long seconds(long nanos) {
    return -Math.floorDiv(-nanos, NANOS_PER_SECOND);
  }
}
