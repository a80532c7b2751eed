package io.quotaenforcer.lab.verdict;

import java.util.Arrays;

/** What each instance opened of one quota key in one period. */
final class OpenedPermits {
  private long[] byInstance = new long[1];

  /** What the instance has opened by now. */
  long add(int instance, long permits) {
    if (instance >= byInstance.length) {
      byInstance = Arrays.copyOf(byInstance, instance + 1);
    }
    byInstance[instance] += permits;
    return byInstance[instance];
  }
}
