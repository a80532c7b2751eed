package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Mode;
import java.time.Instant;
import java.util.Comparator;

/**
 * A quota key under a penalty.
 *
 * @param mode of its rule; in shadow mode nothing is refused
 * @param inARow penalties in a row, this one included
 */
public record PenalizedKey(QuotaKey quotaKey, Mode mode, Instant since, Instant until, int inARow) {
  /** In the order of the texts of quota keys, which is that of rows. */
  static final Comparator<PenalizedKey> ORDER = Comparator.comparing(it -> it.quotaKey.toString());

  /** Heap of a key besides its text, including its share of an answer: rounded up. */
  private static final long HEAP_BYTES = 1_000;

  /** Copies of the quota key in an answer, as objects and as text. */
  private static final int KEY_TEXTS = 6;

  /** Approximate heap until it is answered. */
  long heapBytes() {
    return HEAP_BYTES + (long) KEY_TEXTS * quotaKey.toString().length();
  }
}
