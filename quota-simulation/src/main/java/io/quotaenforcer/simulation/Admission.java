package io.quotaenforcer.simulation;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.QuotaKey;

/**
 * An admitted request as the oracle sees it, in true time. It counts at some moment between the two
 * times: a thread may stand still between reading its clock and taking a permit.
 *
 * @param atNanos when its clock was read
 * @param takenNanos when its permits were taken
 * @param epoch the instance that admitted it, and the time that it ran
 */
public record Admission(
    long atNanos,
    long takenNanos,
    QuotaKey key,
    long cost,
    long windowStartNanos,
    long generation,
    long epoch,
    PermitSource source) {
  public boolean isGranted() {
    return source == PermitSource.GRANTED;
  }

  /** The same, counted when its permits were taken. */
  Admission whenTaken() {
    return new Admission(
        takenNanos, takenNanos, key, cost, windowStartNanos, generation, epoch, source);
  }
}
