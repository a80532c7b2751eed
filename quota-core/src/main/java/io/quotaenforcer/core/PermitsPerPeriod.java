package io.quotaenforcer.core;

/** How many permits a quota key has in a period, whatever the algorithm. */
public interface PermitsPerPeriod {

  /** Permits per period. */
  long permits();

  /** Length of the period in nanoseconds; of calendar periods, that of the longest. */
  long periodNanos();
}
