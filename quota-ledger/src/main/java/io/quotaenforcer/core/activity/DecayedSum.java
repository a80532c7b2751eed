package io.quotaenforcer.core.activity;

/** A sum of weights that count half after each {@link HalfLife}. Time does not run backwards. */
final class DecayedSum {
  private final HalfLife halfLife;
  private double sum;
  private long atNanos = Long.MIN_VALUE;

  DecayedSum(HalfLife halfLife) {
    this.halfLife = halfLife;
  }

  void add(double weight, long now) {
    sum = at(now) + weight;
    atNanos = Math.max(atNanos, now);
  }

  double at(long now) {
    return sum == 0 || now <= atNanos ? sum : sum * Math.pow(2, -halfLife.halvings(now - atNanos));
  }
}
