package io.quotaenforcer.bench.freshness;

import java.util.ArrayList;
import java.util.List;

/**
 * The actions of one instance on one quota key, each list in the order of time. Each list is added
 * to by one thread; they are read when all have ended.
 *
 * @param admitted when requests had been admitted
 * @param composed when reports on the key were begun; they tell of all that was admitted before
 * @param applied answers on the key
 */
record InstanceHistory(List<Long> admitted, List<Long> composed, List<Applied> applied) {

  InstanceHistory() {
    this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }

  /**
   * An answer on a key; times are of the instance's monotonic clock, but for one.
   *
   * @param echoNanos when the report was sent that it answers
   * @param enforcerNanos when the enforcer counted that report, by the enforcer's clock
   * @param appliedNanos when it was applied
   */
  record Applied(long echoNanos, long enforcerNanos, long appliedNanos) {}
}
