package io.quotaenforcer.lab.demo;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The requests of one instance as they arrive: a Poisson process whether or not the instance keeps
 * up. One thread at a time.
 */
public final class Arrivals {
  private final double perNano;
  private final double burstFactor;
  private final double burstFromNanos;
  private final double burstUntilNanos;
  private final double[] cumulative;
  private final SplittableRandom random;

  // Expected arrivals up to the next one: grows by an exponential variate of mean 1 each time, and
  // is turned into time by the rate in force.
  private double expected;
  private long nextNanos;

  Arrivals(Load load, double share, double[] cumulative, SplittableRandom random) {
    this.perNano = load.requestsPerSecond() * share / 1e9;
    this.burstFactor = load.burstFactor();
    this.burstFromNanos = load.burstFrom().toNanos();
    this.burstUntilNanos = load.burstUntil().toNanos();
    this.cumulative = cumulative;
    this.random = random;
    schedule();
  }

  /** Whether a request has arrived by {@code elapsedNanos} since the start. */
  public boolean due(long elapsedNanos) {
    return nextNanos <= elapsedNanos;
  }

  /** When the next request arrives, in nanoseconds since the start. */
  public long nextNanos() {
    return nextNanos;
  }

  /** Takes the next request: the number of its key. */
  public int take() {
    double point = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, point);
    int key = found >= 0 ? found + 1 : -found - 1;
    schedule();
    return Math.min(key, cumulative.length - 1);
  }

  private void schedule() {
    expected -= StrictMath.log(1 - random.nextDouble());
    nextNanos = (long) timeOf(expected);
  }

  private double timeOf(double arrivals) {
    double beforeBurst = burstFromNanos * perNano;
    if (arrivals <= beforeBurst) {
      return arrivals / perNano;
    }
    double inBurst = (burstUntilNanos - burstFromNanos) * perNano * burstFactor;
    if (arrivals <= beforeBurst + inBurst) {
      return burstFromNanos + (arrivals - beforeBurst) / (perNano * burstFactor);
    }
    return burstUntilNanos + (arrivals - beforeBurst - inBurst) / perNano;
  }
}
