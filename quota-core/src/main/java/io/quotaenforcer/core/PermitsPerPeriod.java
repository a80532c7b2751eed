package io.quotaenforcer.core;

/** A number of permits for a quota key per period, whatever the algorithm. */
public interface PermitsPerPeriod {

  /** Permits per period. */
  long permits();

  /** Length of the period in nanoseconds; of calendar periods, that of the longest. */
  long periodNanos();
}
