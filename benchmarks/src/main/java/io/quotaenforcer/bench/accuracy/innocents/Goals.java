package io.quotaenforcer.bench.accuracy.innocents;

/** Targets of the rows; one that does not is <em>short</em>. */
final class Goals {
  /** Innocents of balanced rules that may be turned away. */
  static final double BALANCED_TURNED_AWAY_PCT = 0.0;

  /** Loops of its demand that a key of a balanced rule may go over when it comes from rest. */
  static final double BALANCED_OVER_LOOPS = 1.0;

  /** Innocents of strict rules that may be turned away although they wait. */
  static final double WAITING_TURNED_AWAY_PCT = 0.1;

  /** Permits over the limit of a strict rule. */
  static final double STRICT_OVER = 0;

  private Goals() {}

  /** To the digit that goals are given to. */
  static double rounded(double figure) {
    return Math.round(figure * 10) / 10.0;
  }
}
