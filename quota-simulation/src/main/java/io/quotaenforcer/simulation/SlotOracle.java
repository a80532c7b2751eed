package io.quotaenforcer.simulation;

/**
 * Judges a concurrency limit of one quota key by nothing but when requests began and ended, in true
 * time: how many slots were held at every moment.
 *
 * <p>A request counts to its end, also where its instance crashes: what it set going goes on. But
 * it counts no longer than it may be held, as nobody can tell one that is held longer by an
 * instance that is not heard of from one that has ended.
 */
public final class SlotOracle {
  private long held;
  private long most;
  private long sinceNanos;
  private double slotNanos;

  /** A request begins. */
  public void begins(long slots, long now) {
    change(slots, now);
  }

  /** A request that began ends. */
  public void ends(long slots, long now) {
    change(-slots, now);
  }

  private void change(long slots, long now) {
    slotNanos += (double) held * (now - sinceNanos);
    sinceNanos = now;
    held += slots;
    most = Math.max(most, held);
  }

  /** Slots that are held. */
  public long held() {
    return held;
  }

  /** Most slots that were held at any moment. */
  public long most() {
    return most;
  }

  /** Forgets what was held before now. */
  public void restart(long now) {
    change(0, now);
    slotNanos = 0;
    most = held;
  }

  /** Slots held since the last call, on average. */
  public double takeMean(long sinceLastNanos, long now) {
    change(0, now);
    double mean = slotNanos / Math.max(1, sinceLastNanos);
    slotNanos = 0;
    return mean;
  }
}
