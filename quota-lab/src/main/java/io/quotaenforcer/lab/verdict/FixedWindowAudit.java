package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Rule;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fixed windows: an admission counts in the window of its label, demand in the window of its stamp.
 * Permits above the limit in a window are over.
 *
 * <p>A window is forgotten once no rightly labelled admission can belong to it; a later one is
 * mislabelled, and over.
 */
final class FixedWindowAudit extends RuleAudit {
  private final Map<Integer, Map<Long, Window>> windowsByKey = new HashMap<>();

  FixedWindowAudit(Rule rule, VerdictTerms terms) {
    super(rule, terms);
  }

  @Override
  void audit(
      long stampNanos,
      int instance,
      KeyEntry key,
      long cost,
      PermitSource source,
      long windowStartNanos) {
    Map<Long, Window> windows = windowsByKey.computeIfAbsent(key.id(), id -> new HashMap<>());
    Limit limit = key.limit();
    Window asked = window(windows, limit.windowStart(stampNanos), stampNanos, limit);
    allow(Math.min(cost, Math.max(0, limit.permits() - asked.demand)));
    asked.demand += cost;
    if (source == PermitSource.NONE) {
      return;
    }
    checkLabel(stampNanos, key, windowStartNanos);
    if (forgotten(windowStartNanos, stampNanos, limit)) {
      exceed(key, windowStartNanos, cost, cost);
      if (source == PermitSource.GRANTED) {
        exceedGranted(key, windowStartNanos, cost);
      }
      return;
    }
    Window taken = window(windows, windowStartNanos, stampNanos, limit);
    admit(taken, key, cost, windowStartNanos);
    if (source == PermitSource.GRANTED) {
      taken.granted += cost;
      exceedGranted(key, windowStartNanos, added(taken.granted, cost, limit));
    } else if (source == PermitSource.OPENING) {
      open(key, windowStartNanos, cost, taken.opened().add(instance, cost));
    }
  }

  private void checkLabel(long stampNanos, KeyEntry key, long label) {
    Limit limit = key.limit();
    long tolerance = terms().labelToleranceNanos();
    boolean rightly =
        limit.windowStart(label) == label
            && stampNanos >= label - tolerance
            && stampNanos < limit.windowEnd(label) + tolerance;
    if (!rightly) {
      mislabel(key, label);
    }
  }

  private void admit(Window taken, KeyEntry key, long cost, long label) {
    taken.admitted += cost;
    long added = added(taken.admitted, cost, key.limit());
    if (added > 0) {
      exceed(key, label, added, taken.admitted - key.limit().permits());
    }
  }

  /** Permits over the limit among the last {@code cost} taken. */
  private static long added(long taken, long cost, Limit limit) {
    return Math.min(cost, Math.max(0, taken - limit.permits()));
  }

  private Window window(Map<Long, Window> windows, long start, long stampNanos, Limit limit) {
    Window known = windows.get(start);
    if (known != null) {
      return known;
    }
    if (windows.size() >= 4) {
      windows.keySet().removeIf(old -> forgotten(old, stampNanos, limit));
    }
    Window created = new Window();
    windows.put(start, created);
    return created;
  }

  private boolean forgotten(long start, long stampNanos, Limit limit) {
    return limit.windowEnd(start) + terms().labelToleranceNanos() <= stampNanos;
  }

  private static final class Window {
    long admitted;
    long granted;
    long demand;
    private @Nullable OpenedPermits opened;

    OpenedPermits opened() {
      OpenedPermits known = opened;
      if (known == null) {
        known = new OpenedPermits();
        opened = known;
      }
      return known;
    }
  }
}
