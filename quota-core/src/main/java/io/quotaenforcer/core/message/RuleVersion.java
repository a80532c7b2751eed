package io.quotaenforcer.core.message;

import io.quotaenforcer.core.RuleId;
import java.util.Optional;

/**
 * Contents of a rule from one moment until its next version.
 *
 * @param version grows with every change of the rule, its deletion included, and is never reused
 * @param added whether it is certain that there was no such rule before
 * @param yaml a rule file with just this rule, readable by later programs, too; empty for a
 *     deletion
 * @param atMillis when it was published, epoch milliseconds
 * @param author publisher's name as given; empty if not recorded
 * @param message reason as given
 */
public record RuleVersion(
    RuleId id,
    long version,
    boolean added,
    Optional<String> yaml,
    long atMillis,
    Optional<String> author,
    Optional<String> message) {

  /** The same version, published at another time. */
  public RuleVersion publishedAt(long millis) {
    return new RuleVersion(id, version, added, yaml, millis, author, message);
  }

  public boolean isDeletion() {
    return yaml.isEmpty();
  }
}
