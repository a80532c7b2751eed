package io.quotaenforcer.cli.deadletters;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which dead letters are meant: those for which all that is given holds.
 *
 * @param topic that they came from
 * @param reason text that is in the reason
 * @param rule that they wait for, if they are deferred requests
 * @param ids ids or places; none for all
 */
public record LetterFilter(
    Optional<String> topic, Optional<String> reason, Optional<RuleId> rule, Set<String> ids)
    implements Predicate<DeadLetter> {
  public LetterFilter {
    ids = Set.copyOf(ids);
  }

  @Override
  public boolean test(DeadLetter letter) {
    return topic.map(letter.topic()::equals).orElse(true)
        && reason.map(letter.reason()::contains).orElse(true)
        && rule.map(id -> letter.quotaKey().map(QuotaKey::rule).equals(Optional.of(id)))
            .orElse(true)
        && (ids.isEmpty() || ids.contains(letter.id()) || ids.contains(letter.place()));
  }

  /** Whether nothing is given: all letters are meant. */
  public boolean isOpen() {
    return topic.isEmpty() && reason.isEmpty() && rule.isEmpty() && ids.isEmpty();
  }
}
