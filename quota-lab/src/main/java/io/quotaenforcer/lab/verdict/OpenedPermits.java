package io.quotaenforcer.lab.verdict;

import java.util.Arrays;

/** Permits of one quota key that each instance opened in one period. */
final class OpenedPermits {
  private long[] byInstance = new long[1];

  /** Adds permits and returns the instance's total. */
  long add(int instance, long permits) {
    if (instance >= byInstance.length) {
      byInstance = Arrays.copyOf(byInstance, instance + 1);
    }
    byInstance[instance] += permits;
    return byInstance[instance];
  }
}
