package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import java.util.stream.IntStream;

/**
 * A selection of queues of deferred requests.
 *
 * @param text of a quota key, of a rule's id for all of its keys, or nothing for all queues
 */
public record DeferredScope(String text) {
  public static final DeferredScope ALL = new DeferredScope("");

  public static DeferredScope of(RuleId rule) {
    return new DeferredScope(rule.toString());
  }

  public static DeferredScope of(QuotaKey key) {
    return new DeferredScope(key.toString());
  }

  public boolean isAll() {
    return text.isEmpty();
  }

  /** Whether the scope is one quota key; a rule without key attributes counts as a rule. */
  public boolean isKey() {
    return text.chars().filter(c -> c == '/').count() > 1;
  }

  public boolean contains(String quotaKey) {
    return isAll()
        || quotaKey.equals(text)
        || !isKey() && quotaKey.startsWith(text) && quotaKey.charAt(text.length()) == '/';
  }

  /** The partitions that may hold queues of this scope. */
  public IntStream partitions(int partitions) {
    return isKey()
        ? IntStream.of(QuotaKey.parse(text).partition(partitions))
        : IntStream.range(0, partitions);
  }
}
