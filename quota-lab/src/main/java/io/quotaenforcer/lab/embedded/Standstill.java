package io.quotaenforcer.lab.embedded;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a value has not changed for so long that it will not change any more. On a slow
 * machine this only takes longer: every change extends the wait.
 *
 * @param <T> what is looked at
 */
public final class Standstill<T> {
  private final long patienceNanos;
  private @Nullable T last;
  private long sinceNanos;

  /**
   * @param patienceNanos required time without a change
   */
  public Standstill(long patienceNanos) {
    this.patienceNanos = patienceNanos;
  }

  /** Observes a value and tells whether it stands still. */
  public boolean isReached(T now, long atNanos) {
    if (!Objects.equals(last, now)) {
      last = now;
      sinceNanos = atNanos;
    }
    return atNanos - sinceNanos >= patienceNanos;
  }
}
