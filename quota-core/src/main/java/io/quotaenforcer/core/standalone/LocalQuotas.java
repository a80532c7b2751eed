package io.quotaenforcer.core.standalone;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Ending;
import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.GivenUp;
import io.quotaenforcer.core.rule.MatchedRules;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.core.rule.UnsureMatches;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Rules decided by one process that sees every request: the algorithms alone, exact, without
 * instances, loops and leases. A rule's {@code enforcement} and {@code on-unavailable} make no
 * difference.
 *
 * <p>Safe for use by any number of threads: a decision holds the monitors of the quota keys that it
 * is about, always in the order of their rules. No method reads a clock; times are epoch
 * nanoseconds. Each decision looks at one more quota key, and forgets it if nothing of it is used.
 */
public final class LocalQuotas {
  /** Default of quota keys held at once. */
  public static final int MAX_KEYS = 1_000_000;

  private static final Decision UNMATCHED = new Decision.Unmatched();

  private final RuleSet rules;
  private final int maxKeys;
  private final HashKeys hashKeys;
  private final ConcurrentHashMap<QuotaKey, LocalKey> keys = new ConcurrentHashMap<>();
  private final UnsureMatches unsure = new UnsureMatches();
  private final RuleSet.Notes toUnsure = unsure::add;
  private final AtomicBoolean sweeping = new AtomicBoolean();

  /**
   * The newest time at which a quota key was forgotten. A key begins no earlier: what it had used
   * before, in the eyes of a caller whose time lags behind, is no longer known.
   */
  private final AtomicLong forgottenAt = new AtomicLong(Long.MIN_VALUE);

  private volatile OwnLimits own = OwnLimits.NONE;
  private Iterator<LocalKey> sweep = keys.values().iterator();

  public LocalQuotas(RuleSet rules) {
    this(rules, MAX_KEYS);
  }

  /**
   * @param maxKeys most quota keys held at once; use by the held ones still counts, so a new key
   *     beyond this is throttled
   */
  public LocalQuotas(RuleSet rules, int maxKeys) {
    this(rules, maxKeys, HashKeys.NONE);
  }

  /**
   * @param maxKeys most quota keys held at once; use by the held ones still counts, so a new key
   *     beyond this is throttled
   * @param hashKeys that values are hashed by; without any, rules that hash count nothing
   */
  public LocalQuotas(RuleSet rules, int maxKeys, HashKeys hashKeys) {
    if (maxKeys < 1) {
      throw new IllegalArgumentException("must be >= 1: maxKeys=" + maxKeys);
    }
    this.rules = rules;
    this.maxKeys = maxKeys;
    this.hashKeys = hashKeys;
  }

  /** The keys that values are hashed by. */
  public HashKeys hashKeys() {
    return hashKeys;
  }

  public RuleSet rules() {
    return rules;
  }

  /** Puts in force what the load of this process leaves of limits; quota keys follow when used. */
  public void applyOwnLimits(OwnLimits limits) {
    own = limits;
  }

  /** Quota keys currently held. */
  public int size() {
    return keys.size();
  }

  /** Decides a request by every rule that matches it: all must have room, or none is charged. */
  public Decision decide(Request request, long now) {
    return atOnce(charge(request, now), now);
  }

  /** Nobody says when the request ends: it holds its slots no longer than it is decided. */
  private static Decision atOnce(Charge charge, long now) {
    charge.settle(charge.charged(), now);
    return charge.decision();
  }

  /** Decides a request whose actual cost becomes known later: its stated cost is an estimate. */
  public Charge charge(Request request, long now) {
    List<RuleSet.Match> matches = rules.match(request, hashKeys, toUnsure);
    return matches.isEmpty()
        ? Charge.nothing(UNMATCHED)
        : charge(MatchedRules.of(rules, matches), request.attributes(), request.cost(), now);
  }

  /** Takes all of {@code permits} from one quota key of one rule, or none. */
  public Decision decide(Rule rule, QuotaKey quotaKey, long permits, long now) {
    return atOnce(charge(rule, quotaKey, permits, now), now);
  }

  /** Like {@link #decide(Rule, QuotaKey, long, long)}, of permits that may go back. */
  public Charge charge(Rule rule, QuotaKey quotaKey, long permits, long now) {
    return charge(rule, quotaKey, rule.classes().lastDeclared(), permits, now);
  }

  /**
   * Like {@link #charge(Rule, QuotaKey, long, long)}, of a request of one class.
   *
   * @param demandClass index of the class; 0 for a rule without classes
   */
  public Charge charge(Rule rule, QuotaKey quotaKey, int demandClass, long permits, long now) {
    return charge(rule, List.of(quotaKey), demandClass, permits, now);
  }

  /**
   * Like {@link #charge(Rule, QuotaKey, int, long, long)}, of all quota keys that one request has
   * by the rule.
   *
   * @param quotaKeys at least one
   */
  public Charge charge(
      Rule rule, List<QuotaKey> quotaKeys, int demandClass, long permits, long now) {
    PermitCount.checkCost("permits", permits);
    int[] demandClasses = new int[quotaKeys.size()];
    Arrays.fill(demandClasses, demandClass);
    return charge(
        MatchedRules.alone(quotaKeys.stream().map(key -> new RuleSet.Match(rule, key)).toList()),
        demandClasses,
        permits,
        now);
  }

  /** Takes permits of one quota key of one rule; without room for them, it owes them. */
  public void chargeOrOwe(Rule rule, QuotaKey quotaKey, long permits, long now) {
    if (!decide(rule, quotaKey, permits, now).admitted()
        && !(rule.limit() instanceof ConcurrencyLimit)) {
      owe(rule, quotaKey, permits, now);
    }
  }

  /** Whether {@link #takeGivenUp} has anything to return. */
  public boolean hasGivenUp() {
    return !unsure.isEmpty();
  }

  /**
   * Conditions of rules that counted as met because their value was too awkward to try, and how
   * often since the last call.
   */
  public Map<GivenUp, Long> takeGivenUp() {
    return unsure.take();
  }

  private Charge charge(MatchedRules matches, Map<String, String> attributes, long cost, long now) {
    int[] demandClasses = new int[matches.size()];
    for (int i = 0; i < demandClasses.length; i++) {
      demandClasses[i] = matches.all().get(i).rule().classes().of(attributes);
    }
    return charge(matches, demandClasses, cost, now);
  }

  private Charge charge(MatchedRules matches, int[] demandClasses, long cost, long now) {
    forgetOne(now);
    LocalKey[] found = new LocalKey[matches.size()];
    while (true) {
      for (int i = 0; i < found.length; i++) {
        found[i] = key(matches.all().get(i), now);
      }
      LocalRoom room = new LocalRoom(matches, found, demandClasses, cost, now);
      Charge charge = withMonitors(room, found, 0);
      if (charge != null) {
        return charge;
      }
    }
  }

  /** Null when a key was forgotten meanwhile. */
  private @Nullable Charge withMonitors(LocalRoom room, LocalKey[] found, int held) {
    if (held == found.length) {
      return decide(room);
    }
    LocalKey key = found[held];
    synchronized (key) {
      if (key.isGone()) {
        return null;
      }
      key.follow(own, room.now());
      return withMonitors(room, found, held + 1);
    }
  }

  private Charge decide(LocalRoom room) {
    Decision.Throttled throttled = room.look();
    if (throttled != null) {
      return Charge.nothing(throttled);
    }
    List<LocalRoom.Taken> taken = room.take();
    return new Charge(
        Decision.Admitted.by(room.describe()),
        room.cost(),
        (ending, at) -> settle(taken, room.cost(), ending, at));
  }

  private void settle(List<LocalRoom.Taken> taken, long cost, Ending ending, long now) {
    for (LocalRoom.Taken each : taken) {
      long actual = each.match().rule().count().permits(ending, cost);
      // Slots come back whatever the request cost.
      long tooMuch = each.key().isOfSlots() ? cost : cost - actual;
      if (tooMuch > 0) {
        synchronized (each.key()) {
          each.key().refund(tooMuch, each.atNanos());
        }
      } else if (tooMuch < 0) {
        owe(each.match().rule(), each.match().quotaKey(), -tooMuch, now);
      }
    }
  }

  /** A debt outlives the key that was charged: the key may have been unused and forgotten. */
  private void owe(Rule rule, QuotaKey quotaKey, long permits, long now) {
    while (true) {
      LocalKey key = keys.computeIfAbsent(quotaKey, k -> LocalKey.held(rule, k, begin(now)));
      synchronized (key) {
        if (!key.isGone()) {
          key.owe(permits);
          return;
        }
      }
    }
  }

  /** The key, or a stand-in if no more keys can be held. */
  private LocalKey key(RuleSet.Match match, long now) {
    LocalKey known = keys.get(match.quotaKey());
    if (known != null) {
      return known;
    }
    if (keys.size() >= maxKeys) {
      return LocalKey.notHeld(match.rule(), match.quotaKey(), now);
    }
    return keys.computeIfAbsent(
        match.quotaKey(), key -> LocalKey.held(match.rule(), key, begin(now)));
  }

  /** When a key that is not held begins; to be called once the map is known not to hold it. */
  private long begin(long now) {
    return Math.max(now, forgottenAt.get());
  }

  /** Goes round all keys, one at each decision. */
  private void forgetOne(long now) {
    if (sweeping.get() || !sweeping.compareAndSet(false, true)) {
      return;
    }
    try {
      if (!sweep.hasNext()) {
        sweep = keys.values().iterator();
      }
      if (sweep.hasNext()) {
        forgetIfWhole(sweep.next(), now);
      }
    } finally {
      sweeping.set(false);
    }
  }

  private void forgetIfWhole(LocalKey key, long now) {
    synchronized (key) {
      if (key.leaveIfWhole(now)) {
        forgottenAt.accumulateAndGet(key.timeNanos(), Math::max);
        keys.remove(key.quotaKey(), key);
      }
    }
  }
}
