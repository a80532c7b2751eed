package io.quotaenforcer.core;

import io.quotaenforcer.core.algorithm.FixedWindow;
import java.util.List;

/** Ways for a rule to stand, of which a test says only what it is about. */
final class RuleDecisions {
  static final long SECOND = 1_000_000_000L;

  /** Clock read of every decision here. */
  static final long AT = 7 * SECOND;

  private static final FixedWindow LIMIT = new FixedWindow(10, SECOND);

  private RuleDecisions() {}

  /** A rule that had room, and has {@code remaining} permits left. */
  static RuleDecision room(String rule, long remaining) {
    return decision(rule, remaining, 0, false);
  }

  /** A rule that had no room, and may have it after a time. */
  static RuleDecision full(String rule, long retryAfterNanos) {
    return decision(rule, 0, retryAfterNanos, false);
  }

  /** A rule in shadow mode with {@code remaining} permits left. */
  static RuleDecision watching(String rule, long remaining) {
    return decision(rule, remaining, 0, true);
  }

  /** A rule in shadow mode that had no room. */
  static RuleDecision watchingFull(String rule) {
    return decision(rule, 0, RuleDecision.NEVER_NANOS, true);
  }

  static QuotaKey key(String rule) {
    return QuotaKey.of(new RuleId("test", rule), List.of("42"));
  }

  private static RuleDecision decision(
      String rule, long remaining, long retryAfterNanos, boolean shadow) {
    return RuleDecision.builder(key(rule), LIMIT, AT)
        .remaining(remaining)
        .resetNanos(SECOND)
        .retryAfterNanos(retryAfterNanos)
        .known(true)
        .shadow(shadow)
        .build();
  }
}
