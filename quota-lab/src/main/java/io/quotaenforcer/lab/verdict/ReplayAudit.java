package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.rule.Rule;
import java.util.HashMap;
import java.util.Map;

/**
 * Kinds without windows: the stamped admissions run through the algorithm as if one process had
 * made them. Admissions that the algorithm would not allow are over, and are not booked.
 */
final class ReplayAudit extends RuleAudit {
  /**
   * A stamp is cut to whole microseconds, so the decision was made up to this much later: a true
   * sequence of admissions never fails when each is judged at the end of its microsecond.
   */
  private static final long STAMP_RESOLUTION_NANOS = 999;

  private final Map<Integer, Replay> replays = new HashMap<>();

  ReplayAudit(Rule rule, VerdictTerms terms) {
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
    Limit limit = key.limit();
    Replay replay =
        replays.computeIfAbsent(
            key.id(), id -> new Replay(limit.initial(stampNanos), limit.windowStart(stampNanos)));
    if (limit.available(replay.demand, stampNanos) >= cost) {
      replay.demand = limit.book(replay.demand, cost, stampNanos);
      allow(cost);
    }
    if (source == PermitSource.NONE) {
      return;
    }
    if (source == PermitSource.GRANTED) {
      grant(replay, key, cost, stampNanos);
    } else if (source == PermitSource.OPENING) {
      long window = limit.windowStart(stampNanos);
      open(key, window, cost, replay.openedIn(window).add(instance, cost));
    }
    admit(replay, key, cost, stampNanos);
  }

  private void grant(Replay replay, KeyEntry key, long cost, long stampNanos) {
    Limit limit = key.limit();
    if (limit.available(replay.granted, stampNanos + STAMP_RESOLUTION_NANOS) >= cost) {
      replay.granted = limit.book(replay.granted, cost, stampNanos);
    } else {
      exceedGranted(key, limit.windowStart(stampNanos), cost);
    }
  }

  private void admit(Replay replay, KeyEntry key, long cost, long stampNanos) {
    Limit limit = key.limit();
    if (limit.available(replay.admissions, stampNanos + STAMP_RESOLUTION_NANOS) >= cost) {
      replay.admissions = limit.book(replay.admissions, cost, stampNanos);
      return;
    }
    long window = limit.windowStart(stampNanos);
    if (window != replay.overWindow) {
      replay.overWindow = window;
      replay.overInWindow = 0;
    }
    replay.overInWindow += cost;
    exceed(key, window, cost, replay.overInWindow);
  }

  private static final class Replay {
    LimitState demand;
    LimitState admissions;
    LimitState granted;
    long overWindow;
    long overInWindow;
    private long openedWindow = Long.MIN_VALUE;
    private OpenedPermits opened = new OpenedPermits();

    Replay(LimitState initial, long window) {
      demand = initial;
      admissions = initial;
      granted = initial;
      overWindow = window;
    }

    /** Permits opened in a window, which must not precede the last one. */
    OpenedPermits openedIn(long window) {
      if (window != openedWindow) {
        openedWindow = window;
        opened = new OpenedPermits();
      }
      return opened;
    }
  }
}
