package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import java.util.List;

/** Parts of a rule that do not go together. */
final class RuleChecks {
  private RuleChecks() {}

  /**
   * Checks that they go together.
   *
   * @throws IllegalArgumentException naming the part that must be otherwise
   */
  static void check(
      RuleScope scope, Allowance allowance, Keeping keeping, Consequence consequence) {
    if (allowance.limit() instanceof ConcurrencyLimit) {
      checkSlots(scope, keeping, consequence);
    }
    if (consequence.overLimit().defers() && !scope.count().isAlways()) {
      throw new IllegalArgumentException(
          "must not defer where requests count by their outcome, which a replay has not: count="
              + scope.count());
    }
    if (allowance.entitlements().isPresent()) {
      checkEntitled(allowance, consequence);
    }
    if (allowance.adapt().isPresent()) {
      checkAdapts(scope, allowance.adapt().get(), keeping, consequence);
    }
    if (consequence.penalty().isPresent()) {
      checkPenalized(allowance, keeping, consequence);
    }
    List<String> names = scope.key().names();
    for (RuleOverride override : allowance.overrides().all()) {
      if (!names.containsAll(override.key().keySet())) {
        throw new IllegalArgumentException(
            "must be attributes of the rule's key " + names + ": override.key=" + override.key());
      }
    }
  }

  /** Refuses what is decided by a rule's own limit, where quota keys may have others. */
  private static void checkEntitled(Allowance allowance, Consequence consequence) {
    if (allowance.limit() instanceof ConcurrencyLimit) {
      throw new IllegalArgumentException(
          "must be permits per period where data gives quota keys their limits: limit="
              + allowance.limit());
    }
    if (consequence.overLimit().defers()) {
      throw new IllegalArgumentException(
          "must not defer where data gives quota keys their limits: overLimit="
              + consequence.overLimit());
    }
  }

  /** Refuses what is decided by the limit as it is written, and what cannot be compared. */
  private static void checkAdapts(
      RuleScope scope, AdaptTerms adapt, Keeping keeping, Consequence consequence) {
    if (adapt.scope() == LoadScope.INSTANCE && keeping.enforcement() != Enforcement.PER_INSTANCE) {
      throw new IllegalArgumentException(
          "must be per instance where the limit follows the load of each instance: enforcement="
              + keeping.enforcement());
    }
    if (consequence.overLimit().defers()) {
      throw new IllegalArgumentException(
          "must not defer where the limit follows the load: overLimit=" + consequence.overLimit());
    }
    if (adapt.comparesWithServed() && !scope.key().names().isEmpty()) {
      throw new IllegalArgumentException(
          "must have no key where the limit is compared with what the service gets done: key="
              + scope.key().names());
    }
  }

  /** Refuses a penalty where nobody knows what is throttled, or more than the limit decides. */
  private static void checkPenalized(
      Allowance allowance, Keeping keeping, Consequence consequence) {
    if (allowance.limit() instanceof ConcurrencyLimit) {
      throw new IllegalArgumentException(
          "must be none for a concurrency limit: penalty=" + consequence.penalty().get());
    }
    if (keeping.enforcement() == Enforcement.PER_INSTANCE) {
      throw new IllegalArgumentException(
          "must be none where each instance keeps to a limit of its own: penalty="
              + consequence.penalty().get());
    }
    if (allowance.elastic().isPresent()) {
      throw new IllegalArgumentException(
          "must be none where permits beyond the limit are borrowed: penalty="
              + consequence.penalty().get());
    }
    if (consequence.overLimit().defers()) {
      throw new IllegalArgumentException(
          "must be none where requests over the limit are deferred: penalty="
              + consequence.penalty().get());
    }
  }

  /** Refuses options that mean nothing where requests hold slots until they end. */
  private static void checkSlots(RuleScope scope, Keeping keeping, Consequence consequence) {
    if (!keeping.equals(Keeping.STRICT)) {
      throw new IllegalArgumentException(
          "must be strict, and deny while the enforcer is away, for a concurrency limit: keeping="
              + keeping);
    }
    if (!scope.classes().isEmpty()) {
      throw new IllegalArgumentException(
          "must be none for a concurrency limit: classes=" + scope.classes());
    }
    if (!scope.count().isAlways()) {
      throw new IllegalArgumentException(
          "must be every request for a concurrency limit: count=" + scope.count());
    }
    if (consequence.overLimit().defers()) {
      throw new IllegalArgumentException(
          "must not defer over a concurrency limit: overLimit=" + consequence.overLimit());
    }
  }
}
