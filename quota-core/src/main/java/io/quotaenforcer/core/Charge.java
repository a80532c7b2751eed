package io.quotaenforcer.core;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The charge for a request whose actual cost is not known yet.
 *
 * <p>Settled once, by whichever thread comes first; a throttled request has no charge, and settling
 * it does nothing.
 */
public final class Charge {
  private final Decision decision;
  private final long charged;
  private final Settling settling;
  private final AtomicBoolean settled = new AtomicBoolean();

  /** Corrects the permits taken. */
  @FunctionalInterface
  public interface Settling {
    /**
     * Called once.
     *
     * @param ending of the request, by which each rule knows what it cost
     */
    void settle(Ending ending, long now);
  }

  /**
   * @param charged permits that each rule was charged which had room
   */
  public Charge(Decision decision, long charged, Settling settling) {
    this.decision = decision;
    this.charged = charged;
    this.settling = settling;
  }

  /** The charge for a request that took nothing. */
  public static Charge nothing(Decision decision) {
    return new Charge(decision, 0, (ending, now) -> {});
  }

  public Decision decision() {
    return decision;
  }

  /** Permits that each rule was charged which had room. */
  public long charged() {
    return charged;
  }

  /**
   * Corrects the charge: the excess over {@code actual} is given back as far as the algorithm
   * allows, a shortfall is owed.
   *
   * @return false if the charge was settled before, and nothing changed
   * @throws IllegalArgumentException if {@code actual} is negative, or more than a request can
   *     cost; the charge is not settled then
   */
  public boolean settle(long actual, long now) {
    return settle(new Ending.Cost(actual), now);
  }

  /**
   * Like {@link #settle(long, long)}, by how the request turned out.
   *
   * @return false if the charge was settled before, and nothing changed
   */
  public boolean settle(Ending ending, long now) {
    if (settled.getAndSet(true)) {
      return false;
    }
    settling.settle(ending, now);
    return true;
  }
}
