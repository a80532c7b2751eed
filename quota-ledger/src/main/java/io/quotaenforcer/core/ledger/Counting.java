package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;

/**
 * The count of a quota key.
 *
 * @param generation generation of the rule that {@code state} counts for
 * @param limit the limit that {@code state} was last counted under
 * @param clock shows the time that {@code state} is kept by
 */
public record Counting(long generation, Limit limit, LimitState state, StateClock clock) {}
