package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.QuotaKey;
import java.util.List;
import java.util.Optional;

/** Asks an enforcer about the quota keys in its partitions. */
public interface KeyQuery {
  /**
   * Quota keys of this enforcer's partitions, in the order of their texts.
   *
   * @param answered the partitions that they are of
   * @param partitions of the prefix
   */
  record Found(Page<KeyFacts> keys, List<Integer> answered, int partitions) {
    public Found {
      answered = List.copyOf(answered);
    }
  }

  /**
   * A quota key as another enforcer's copy has it.
   *
   * @param recordsBehind changes that this copy has not read yet
   */
  record Copy(QuotaUsageRecord usage, long recordsBehind) {}

  /** The current usage of a quota key. */
  UsageAnswer usage(QuotaKey key);

  /** What this enforcer's copy knows of a quota key that another one counts. */
  Optional<Copy> copyOf(QuotaKey key);

  /**
   * Searches by the beginning of the text; reads no more than it answers.
   *
   * @param after the text after which to begin; empty for the beginning
   */
  Found search(String prefix, String after, int most);
}
