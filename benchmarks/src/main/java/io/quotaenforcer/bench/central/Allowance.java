package io.quotaenforcer.bench.central;

import java.util.concurrent.TimeUnit;

/**
 * So many permits in each period, for every key.
 *
 * @param permits per period; of a bucket also its capacity
 */
record Allowance(long permits, long periodMillis) {
  long periodMicros() {
    return TimeUnit.MILLISECONDS.toMicros(periodMillis);
  }
}
