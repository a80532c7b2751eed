package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import java.util.List;

/**
 * All that the enforcer knows of one quota key. Immutable.
 *
 * @param generation generation of the rule that {@code state} counts for
 * @param limit the limit that {@code state} was last counted under
 * @param grantableFromNanos before this nothing is granted: leases of an older generation may still
 *     be spent
 * @param timeNanos newest enforcer time that this ledger has seen
 * @param exhaustedUntilNanos until when the key was last announced as exhausted; 0 for never
 */
public record KeyLedger(
    long generation,
    Limit limit,
    LimitState state,
    long grantableFromNanos,
    long timeNanos,
    long exhaustedUntilNanos,
    List<Holder> holders) {

  public KeyLedger {
    holders = List.copyOf(holders);
  }

  /** The ledger of a key that nobody has used. */
  public static KeyLedger first(long generation, Limit limit, long grantableFrom, long now) {
    return new KeyLedger(generation, limit, limit.initial(now), grantableFrom, now, 0, List.of());
  }

  /**
   * Permits that holders of this generation may still take and that {@code state} has not booked.
   */
  public long outstanding(long now) {
    long window = limit.windowStart(Math.max(now, timeNanos));
    long sum = 0;
    for (Holder holder : holders) {
      if (holder.generation() == generation) {
        sum += holder.outstanding(limit, window);
      }
    }
    return sum;
  }

  /** Permits that nobody has used or holds; negative when more was used than allowed. */
  public long available(long now) {
    long at = Math.max(now, timeNanos);
    return limit.available(limit.advance(state, at), at) - outstanding(at);
  }

  /** Enforcer time from which this ledger says nothing that a first one would not say too. */
  public long forgettableFrom(long retentionNanos) {
    LimitState spent = state;
    long from = Math.max(exhaustedUntilNanos, grantableFromNanos);
    for (Holder holder : holders) {
      spent = holder.generation() == generation ? holder.spendAll(limit, spent) : spent;
      from = Math.max(from, holder.forgettableFrom(retentionNanos));
    }
    long reset = limit.resetAt(spent, timeNanos);
    boolean nextIsUsed =
        limit.permitsBelongToWindow() && limit.available(spent, reset) < limit.permits();
    return Math.max(from, nextIsUsed ? reset + limit.periodNanos() : reset);
  }
}
