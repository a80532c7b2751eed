package io.quotaenforcer.core.message;

import io.quotaenforcer.core.RuleId;
import java.util.Optional;

/**
 * What a rule was from one moment until its next version.
 *
 * @param version grows with every change of the rule, its deletion included, and is never used
 *     again
 * @param added whether it is known that there was no such rule before
 * @param yaml a rule file with just this rule, which later programs can read too; empty when this
 *     version deleted it
 * @param atMillis when it was published, in milliseconds since 1970
 * @param author who published it, as told; empty when nobody recorded it
 * @param message why, as told
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
