package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.HashMap;
import java.util.Map;

/**
 * Kinds without windows: the stamped admissions run through the algorithm as if one process had
 * made them, or, of a strict rule, holders of parts of its limit. Admissions that the algorithm
 * would not allow are over, and are not booked. What was granted is always judged as parts, since
 * instances hold it as such.
 */
final class ReplayAudit extends RuleAudit {
  private final boolean isStrict;
  private final Map<Integer, Replay> replays = new HashMap<>();

  ReplayAudit(Rule rule, VerdictTerms terms) {
    super(rule, terms);
    this.isStrict = rule.enforcement() == Enforcement.STRICT;
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
            key.id(),
            id -> new Replay(limit, use(limit, stampNanos), parts(limit, stampNanos), stampNanos));
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

  private KeyUse use(Limit limit, long stampNanos) {
    return isStrict ? parts(limit, stampNanos) : KeyUse.undivided(limit, stampNanos);
  }

  private KeyUse parts(Limit limit, long stampNanos) {
    return KeyUse.divided(limit, stampNanos, terms().labelToleranceNanos());
  }

  private void grant(Replay replay, KeyEntry key, long cost, long stampNanos) {
    if (!replay.granted.take(cost, stampNanos)) {
      exceedGranted(key, key.limit().windowStart(stampNanos), cost);
    }
  }

  private void admit(Replay replay, KeyEntry key, long cost, long stampNanos) {
    if (replay.admissions.take(cost, stampNanos)) {
      return;
    }
    long window = key.limit().windowStart(stampNanos);
    if (window != replay.overWindow) {
      replay.overWindow = window;
      replay.overInWindow = 0;
    }
    replay.overInWindow += cost;
    exceed(key, window, cost, replay.overInWindow);
  }

  private static final class Replay {
    LimitState demand;
    final KeyUse admissions;
    final KeyUse granted;
    long overWindow;
    long overInWindow;
    private long openedWindow = Long.MIN_VALUE;
    private OpenedPermits opened = new OpenedPermits();

    Replay(Limit limit, KeyUse admissions, KeyUse granted, long stampNanos) {
      this.demand = limit.initial(stampNanos);
      this.admissions = admissions;
      this.granted = granted;
      this.overWindow = limit.windowStart(stampNanos);
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
