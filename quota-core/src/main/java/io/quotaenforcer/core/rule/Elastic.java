package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;

/**
 * How far quota keys of a rule may go beyond their limit while another rule, the pool, has room to
 * lend. What they borrow is counted as a rule of its own, by the same algorithm: limits of one
 * algorithm that add up let through no more than one limit of their sum. Immutable.
 *
 * @param pool id of the rule that lends, in the same domain
 * @param upToBasisPoints what a quota key may take in all, in hundredths of a percent of its limit
 */
public record Elastic(String pool, int upToBasisPoints) {
  public static final int MIN_BASIS_POINTS = DemandClass.WHOLE + 100;

  /** A hundred times the limit. */
  public static final int MAX_BASIS_POINTS = 100 * DemandClass.WHOLE;

  private static final String BORROWED = ".borrowed";

  /** Longest id of a rule that borrows. */
  public static final int MAX_ID_CHARS = RuleId.MAX_CHARS - BORROWED.length();

  public Elastic {
    if (!RuleId.isName(pool)) {
      throw new IllegalArgumentException("must be the id of a rule: pool=" + pool);
    }
    if (upToBasisPoints < MIN_BASIS_POINTS || upToBasisPoints > MAX_BASIS_POINTS) {
      throw new IllegalArgumentException(
          "must be between %d and %d: upToBasisPoints=%d"
              .formatted(MIN_BASIS_POINTS, MAX_BASIS_POINTS, upToBasisPoints));
    }
  }

  /** The id under which is counted what quota keys of a rule borrow. */
  public static RuleId borrowedId(RuleId of) {
    return new RuleId(of.domain(), of.id() + BORROWED);
  }

  /** The limit on what may be borrowed on top of {@code limit}. */
  Limit beyond(Limit limit) {
    return limit.withPermits(permitsBeyond(limit));
  }

  /** A limit has up to 10^12 permits, of which up to a hundred times may be borrowed. */
  long permitsBeyond(Limit limit) {
    return limit.permits() * (upToBasisPoints - DemandClass.WHOLE) / DemandClass.WHOLE;
  }
}
