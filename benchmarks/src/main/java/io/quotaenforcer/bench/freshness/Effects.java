package io.quotaenforcer.bench.freshness;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds, for each request that was admitted, the answer by which another instance knew of it: the
 * first that the enforcer gave there once it had counted the report that told of the request. All
 * by the monotonic clock that the instances share.
 *
 * @param found one for each request and each other instance
 * @param missing pairs for which there was none up to the end
 */
record Effects(List<Effect> found, int missing) {

  /**
   * The effects of requests on one quota key.
   *
   * @param instances all that use it; one that is alone is its own other one
   * @param others how many others of each are looked at: those that follow it
   * @param fromNanos requests admitted before are left out
   * @param untilNanos and those after
   * @param enforcerAheadNanos the enforcer's clock minus the instances'
   */
  static Effects of(
      List<InstanceHistory> instances,
      int others,
      long fromNanos,
      long untilNanos,
      long enforcerAheadNanos) {
    List<Effect> found = new ArrayList<>();
    int missing = 0;
    int count = instances.size();
    for (int i = 0; i < count; i++) {
      InstanceHistory from = instances.get(i);
      for (int next = 1; next <= Math.max(1, Math.min(count - 1, others)); next++) {
        Pair pair = new Pair(from, instances.get((i + next) % count), enforcerAheadNanos);
        for (long admitted : from.admitted()) {
          if (admitted >= fromNanos && admitted < untilNanos) {
            Effect effect = pair.next(admitted);
            if (effect == null) {
              missing++;
            } else {
              found.add(effect);
            }
          }
        }
      }
    }
    return new Effects(found, missing);
  }

  Effects and(Effects more) {
    List<Effect> all = new ArrayList<>(found);
    all.addAll(more.found);
    return new Effects(all, missing + more.missing);
  }
}
