package io.quotaenforcer.enforcer.verdict;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Rule;
import java.util.HashMap;
import java.util.Map;

/**
 * Fixed windows: an admission counts in the window it is labelled with, demand in the window of its
 * stamp. What is above the limit in a window is over.
 *
 * <p>A window is forgotten once no rightly labelled admission can belong to it; one that claims to
 * is mislabelled, and over.
 */
final class FixedWindowAudit extends RuleAudit {
  private final Map<Integer, Map<Long, Window>> windowsByKey = new HashMap<>();

  FixedWindowAudit(Rule rule, VerdictTerms terms) {
    super(rule, terms);
  }

  @Override
  void audit(long stampNanos, KeyEntry key, long cost, boolean wasAdmitted, long windowStartNanos) {
    Map<Long, Window> windows = windowsByKey.computeIfAbsent(key.id(), id -> new HashMap<>());
    Limit limit = key.limit();
    Window asked = window(windows, limit.windowStart(stampNanos), stampNanos, limit);
    allow(Math.min(cost, Math.max(0, limit.permits() - asked.demand)));
    asked.demand += cost;
    if (wasAdmitted) {
      admit(windows, stampNanos, key, cost, windowStartNanos);
    }
  }

  private void admit(
      Map<Long, Window> windows, long stampNanos, KeyEntry key, long cost, long label) {
    Limit limit = key.limit();
    long tolerance = terms().labelToleranceNanos();
    boolean rightly =
        limit.windowStart(label) == label
            && stampNanos >= label - tolerance
            && stampNanos < label + limit.periodNanos() + tolerance;
    if (!rightly) {
      mislabel();
    }
    if (forgotten(label, stampNanos, limit)) {
      exceed(key, label, cost, cost);
      return;
    }
    Window taken = window(windows, label, stampNanos, limit);
    long overBefore = Math.max(0, taken.admitted - limit.permits());
    taken.admitted += cost;
    long overNow = Math.max(0, taken.admitted - limit.permits());
    if (overNow > overBefore) {
      exceed(key, label, overNow - overBefore, overNow);
    }
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
    return start + limit.periodNanos() + terms().labelToleranceNanos() <= stampNanos;
  }

  private static final class Window {
    long admitted;
    long demand;
  }
}
