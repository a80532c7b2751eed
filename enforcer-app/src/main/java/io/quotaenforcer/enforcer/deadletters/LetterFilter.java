package io.quotaenforcer.enforcer.deadletters;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Selects dead letters: those that meet all given conditions.
 *
 * @param topic of origin
 * @param reason part of the reason
 * @param rule of the queue, for deferred requests
 * @param ids ids or places; empty for all
 */
public record LetterFilter(
    Optional<String> topic, Optional<String> reason, Optional<RuleId> rule, Set<String> ids)
    implements Predicate<DeadLetter> {
  public LetterFilter {
    ids = Set.copyOf(ids);
  }

  @Override
  public boolean test(DeadLetter letter) {
    return topic.map(letter.origin().topic()::equals).orElse(true)
        && reason.map(letter.aside().reason()::contains).orElse(true)
        && rule.map(id -> letter.origin().quotaKey().map(QuotaKey::rule).equals(Optional.of(id)))
            .orElse(true)
        && (ids.isEmpty()
            || ids.contains(letter.origin().id())
            || ids.contains(letter.aside().place()));
  }

  /** Whether no condition is given, so that all letters are selected. */
  public boolean isOpen() {
    return topic.isEmpty() && reason.isEmpty() && rule.isEmpty() && ids.isEmpty();
  }
}
