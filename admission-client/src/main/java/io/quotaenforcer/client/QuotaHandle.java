package io.quotaenforcer.client;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * One quota key of one rule, resolved once: the cheapest way to decide where the key is known ahead
 * of the request. Safe for use by any number of threads.
 */
public final class QuotaHandle {
  private final QuotaKey quotaKey;
  private final LongPredicate take;

  /**
   * @param take takes so many permits, or none
   */
  private QuotaHandle(QuotaKey quotaKey, LongPredicate take) {
    this.quotaKey = quotaKey;
    this.take = take;
  }

  /** How the permits of a key of a rule are taken. */
  @FunctionalInterface
  interface Permits {
    LongPredicate of(Rule rule, QuotaKey quotaKey);
  }

  /** The handle of one key of a rule that is in force. */
  static QuotaHandle of(RuleSet rules, Permits permits, String rule, String... keyValues) {
    RuleId id = RuleId.parse(rule);
    Rule found =
        rules
            .rule(id)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "must be a rule that is in force: rule="
                            + rule
                            + " known="
                            + rules.rules().stream().map(Rule::id).toList()));
    QuotaKey quotaKey = found.quotaKeyOf(List.of(keyValues));
    return new QuotaHandle(quotaKey, permits.of(found, quotaKey));
  }

  /**
   * Takes permits if there is room for all of them now. Never waits.
   *
   * @param permits at least 1
   * @return whether they were taken; if not, none was
   * @throws IllegalArgumentException if {@code permits} is less than 1
   */
  public boolean tryAcquire(long permits) {
    return take.test(permits);
  }

  /** Takes one permit if there is room for it now. Never waits. */
  public boolean tryAcquire() {
    return tryAcquire(1);
  }

  /** The quota key whose permits it takes. */
  public QuotaKey quotaKey() {
    return quotaKey;
  }
}
