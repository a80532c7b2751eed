package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * The admissions of instances that decide from a plain delayed count: takes every request of a
 * decision, ignores the actual outcome, and passes its own decision on.
 */
public final class DelayedCountShadow implements DecisionConsumer {
  private final int instances;
  private final long delayNanos;
  private final DecisionConsumer decided;
  private final Map<Integer, GlobalCount> counts = new HashMap<>();

  /**
   * @param delayNanos age of the count that an instance sees
   * @param decided receives the same requests with the delayed count's decisions
   */
  public DelayedCountShadow(int instances, long delayNanos, DecisionConsumer decided) {
    if (delayNanos < 0) {
      throw new IllegalArgumentException("must be >= 0: delayNanos=" + delayNanos);
    }
    this.instances = instances;
    this.delayNanos = delayNanos;
    this.decided = decided;
  }

  @Override
  public void accept(
      long stampNanos,
      int instance,
      KeyEntry key,
      long cost,
      PermitSource source,
      long windowStartNanos) {
    Limit limit = key.limit();
    GlobalCount count =
        counts.computeIfAbsent(key.id(), id -> new GlobalCount(limit, instances, stampNanos));
    // Permits left by a count are treated as a grant.
    boolean admits = count.tryAdmit(instance, cost, stampNanos);
    long label = limit.cellWindow(stampNanos);
    PermitSource from = admits ? PermitSource.GRANTED : PermitSource.NONE;
    decided.accept(stampNanos, instance, key, cost, from, label);
  }

  private final class GlobalCount {
    final Limit limit;
    final DelayedCount[] views;
    final long[] included;
    final ArrayDeque<Admission> underway = new ArrayDeque<>();
    LimitState visible;

    GlobalCount(Limit limit, int instances, long now) {
      this.limit = limit;
      this.visible = limit.initial(now);
      this.included = new long[instances];
      this.views = new DelayedCount[instances];
      for (int i = 0; i < instances; i++) {
        views[i] = new DelayedCount(limit, now);
      }
    }

    boolean tryAdmit(int instance, long cost, long now) {
      while (!underway.isEmpty() && underway.getFirst().atNanos() <= now - delayNanos) {
        Admission arrived = underway.removeFirst();
        visible = limit.book(visible, arrived.cost(), arrived.atNanos());
        included[arrived.instance()] += arrived.cost();
      }
      views[instance].see(visible, included[instance]);
      if (!views[instance].tryAdmit(cost, now)) {
        return false;
      }
      underway.addLast(new Admission(now, instance, cost));
      return true;
    }
  }

  private record Admission(long atNanos, int instance, long cost) {}
}
