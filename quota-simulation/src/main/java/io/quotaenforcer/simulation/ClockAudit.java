package io.quotaenforcer.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.RenewingLimit;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.StateClock;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Audits the clocks that keys were counted by against true time. None may run ahead while some of
 * the key's permits are used up: they would renew too early. Borders may lag by no more than the
 * clocks of enforcers may differ, once per takeover.
 */
final class ClockAudit {
  private final Map<Group, NavigableMap<Long, LedgerClock>> clocks = new HashMap<>();
  private final Map<Group, Shown> grantable = new HashMap<>();

  /** True time from which nothing counts of what was booked. */
  private final Map<Group, Long> fadedNanos = new HashMap<>();

  private final long maxClockSkewNanos;

  /** True time until which permits may be used that an enforcer granted and did not commit. */
  private long untracedUntilNanos = Long.MIN_VALUE;

  private long aheadNanos;
  private long lateNanos;

  /**
   * @param maxClockSkewNanos by which each takeover may hold borders back
   */
  ClockAudit(long maxClockSkewNanos) {
    this.maxClockSkewNanos = maxClockSkewNanos;
  }

  private record Group(QuotaKey key, long generation) {}

  /** The clock by which a key was counted, and the time. */
  record Counted(
      long trueNanos,
      QuotaKey key,
      long clockNanos,
      long enforcerNanos,
      KeyLedger before,
      KeyLedger after) {}

  /**
   * A clock's reading at a true time.
   *
   * @param standsStill whether the clock waits for true time to catch up
   */
  record Shown(long trueNanos, long nanos, boolean standsStill) {
    static Shown trueTime(Admission admission) {
      return new Shown(admission.atNanos(), admission.atNanos(), false);
    }
  }

  /**
   * The clock by which a key's permits are counted.
   *
   * @param beginsAnew whether nothing that was admitted before it counts any more
   */
  private record LedgerClock(
      long clockOffset, long standsStillAt, StateClock clock, boolean beginsAnew) {
    long at(long trueNanos) {
      return clock.at(Math.max(trueNanos + clockOffset, standsStillAt));
    }

    boolean showsAs(LedgerClock other) {
      return anew().equals(other.anew());
    }

    LedgerClock anew() {
      return new LedgerClock(clockOffset, standsStillAt, clock, true);
    }

    boolean standsStill(long trueNanos) {
      return at(trueNanos) > trueNanos + clockOffset - clock.lagNanos();
    }
  }

  /**
   * An enforcer crashes: what it granted since its last commit leaves no trace, and was granted by
   * its clock all the same.
   *
   * @param trueNanos when the last of that ends
   */
  void crashed(long trueNanos) {
    untracedUntilNanos = Math.max(untracedUntilNanos, trueNanos);
  }

  /** Permits count by the clock of an enforcer that committed: others leave no trace. */
  void counted(Counted counted) {
    KeyLedger ledger = counted.after;
    Group group = new Group(counted.key, ledger.generation());
    NavigableMap<Long, LedgerClock> known = clocks.computeIfAbsent(group, g -> new TreeMap<>());
    long enforcerNanos = counted.enforcerNanos;
    LedgerClock newest =
        new LedgerClock(
            counted.clockNanos - counted.trueNanos,
            enforcerNanos > counted.clockNanos ? enforcerNanos : Long.MIN_VALUE,
            ledger.clock(),
            false);
    if (known.isEmpty() || !known.lastEntry().getValue().showsAs(newest)) {
      long since = sinceNanos(group, counted.trueNanos);
      known.tailMap(since, true).clear();
      known.put(since, since < counted.trueNanos ? newest.anew() : newest);
    }
    noteUse(group, newest, ledger, counted.trueNanos);
    if (ledger.limit().bordersMatter()) {
      long most = maxClockSkewNanos * ledger.tenure();
      lateNanos = Math.max(lateNanos, ledger.clock().lagNanos() - most);
    }
    if (ledger.limit() instanceof RenewingLimit) {
      judge(counted, group, newest.at(counted.trueNanos));
    }
  }

  /**
   * A clock that is set while nothing counts is the one since then: of what was admitted meanwhile
   * nothing was granted by another.
   */
  private long sinceNanos(Group group, long trueNanos) {
    long faded = fadedNanos.getOrDefault(group, Long.MIN_VALUE);
    return Math.min(Math.max(faded, untracedUntilNanos), trueNanos);
  }

  private void noteUse(Group group, LedgerClock clock, KeyLedger ledger, long trueNanos) {
    long at = clock.at(trueNanos);
    Limit limit = ledger.limit();
    if (limit.bordersMatter() && limit.available(ledger.state(), at) < limit.capacity()) {
      long faded = limit.forgettableAt(ledger.state(), at) + clock.clock.lagNanos();
      fadedNanos.merge(group, faded - clock.clockOffset, Math::max);
    }
  }

  private void judge(Counted counted, Group group, long nanos) {
    boolean grants = counted.enforcerNanos >= counted.after.grantableFromNanos();
    Shown before = grantable.get(group);
    if (grants) {
      grantable.put(group, new Shown(counted.trueNanos, nanos, false));
    }
    KeyLedger ledger = counted.before;
    if (before == null || ledger.generation() != counted.after.generation()) {
      return;
    }
    long most = before.nanos + counted.trueNanos - before.trueNanos;
    boolean used = ledger.limit().available(ledger.state(), most) < ledger.limit().capacity();
    if (grants && used) {
      aheadNanos = Math.max(aheadNanos, nanos - most);
    } else if (!used) {
      // No clock has anything to renew: it may show another time from here on.
      grantable.computeIfPresent(group, (key, shown) -> grants ? shown : null);
    }
  }

  /**
   * True time by the clock that a generation of the key was counted by at that time. Without an
   * active enforcer it goes on, but never beyond a successor's start, unless nothing counted any
   * more by then: such a clock may have been set back further.
   */
  Shown shown(QuotaKey key, long generation, long trueNanos) {
    NavigableMap<Long, LedgerClock> known =
        clocks.getOrDefault(new Group(key, generation), new TreeMap<>());
    Map.Entry<Long, LedgerClock> entry = known.floorEntry(trueNanos);
    long nanos = entry == null ? trueNanos : entry.getValue().at(trueNanos);
    for (Map.Entry<Long, LedgerClock> next : known.tailMap(trueNanos, false).entrySet()) {
      if (next.getValue().beginsAnew) {
        break;
      }
      nanos = Math.min(nanos, next.getValue().at(next.getKey()));
    }
    return new Shown(trueNanos, nanos, entry != null && entry.getValue().standsStill(trueNanos));
  }

  /** The forbidden behaviour of a clock; empty if there was none. */
  String violation() {
    if (aheadNanos > 0) {
      return "permits renewed %d ns before their time".formatted(aheadNanos);
    }
    return lateNanos == 0 ? "" : "borders held back %d ns too far".formatted(lateNanos);
  }
}
