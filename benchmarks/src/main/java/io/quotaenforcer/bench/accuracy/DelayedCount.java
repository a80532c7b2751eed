package io.quotaenforcer.bench.accuracy;

import io.quotaenforcer.bench.accuracy.scenario.Arrivals;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import java.util.Arrays;

/** Each instance admits while the last published global count is under the limit. */
final class DelayedCount implements Policy {
  private final Limit limit;
  private final long[] unreported;
  private final LimitState[] known;
  private LimitState counted;

  DelayedCount(Fleet fleet) {
    limit = fleet.limit();
    unreported = new long[fleet.instances()];
    known = new LimitState[fleet.instances()];
    counted = limit.initial(Arrivals.START);
    Arrays.fill(known, counted);
    fleet.eachEvery(
        fleet.loop().reportNanos(),
        instance -> {
          long admitted = unreported[instance];
          unreported[instance] = 0;
          long sent = fleet.time().now();
          fleet.send(() -> count(admitted, sent, fleet.time().now()));
        });
    fleet.eachPublish(
        () -> {
          LimitState published = counted;
          for (int i = 0; i < known.length; i++) {
            int instance = i;
            fleet.send(() -> known[instance] = published);
          }
        });
  }

  @Override
  public long decide(int instance, long now) {
    LimitState state = limit.advance(known[instance], now);
    if (limit.available(state, now) < 1) {
      return NOT_ADMITTED;
    }
    unreported[instance]++;
    return 0;
  }

  private void count(long admitted, long sent, long now) {
    long at = limit.bookedAt(now, limit.windowStart(sent));
    counted = limit.book(limit.advance(counted, now), admitted, at);
  }
}
