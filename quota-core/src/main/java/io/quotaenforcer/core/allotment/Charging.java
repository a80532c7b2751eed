package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Ending;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Standings;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.rule.CountedUnder;
import io.quotaenforcer.core.rule.GivenUp;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.UnsureMatches;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Charges every rule that matches a request, or none. Safe for use by any thread. */
final class Charging {
  /** No key was without room. */
  private static final int NONE = -1;

  private static final boolean[] NOTHING_AWAITED = {};

  private final LiveKeys live;
  private final Borrowing borrowing;
  private final Scratch scratch = new Scratch();
  private final UnsureMatches unsure = new UnsureMatches();
  private volatile Decision unmatched;

  /** The answer where the quota key by a rule is not known. */
  private volatile Decision.NotReady undecided = new Decision.NotReady(true);

  Charging(LiveKeys live, Decision unmatched) {
    this.live = live;
    this.borrowing = new Borrowing(live);
    this.unmatched = unmatched;
  }

  /** Sets the answer to a request that no rule matches. */
  void answerUnmatched(Decision answer) {
    unmatched = answer;
  }

  /** Sets the answer where it is not known what a request counts under. */
  void answerUndecided(Decision.NotReady answer) {
    undecided = answer;
  }

  Decision unmatched() {
    return unmatched;
  }

  /** Conditions that counted as met unsurely, and how often since the last call. */
  Map<GivenUp, Long> takeGivenUp() {
    return unsure.take();
  }

  /**
   * The permits taken for an admitted request. One is made for each, so both are in one array.
   *
   * @param keysAndCells each key allotment, and after it the cell that gave the permits; null if a
   *     rule that only watches had no room
   * @param demandClasses the request's class of each; empty if each is the first
   */
  private record AllTaken(@Nullable Object[] keysAndCells, int[] demandClasses, long cost)
      implements Standings {
    static AllTaken of(MatchedKeys keys, long cost) {
      return new AllTaken(keys.keysAndCells(), keys.demandClasses(), cost);
    }

    int count() {
      return keysAndCells.length / 2;
    }

    KeyAllotment key(int index) {
      return (KeyAllotment) Objects.requireNonNull(keysAndCells[2 * index]);
    }

    @Nullable Cell cell(int index) {
      return (Cell) keysAndCells[2 * index + 1];
    }

    private int demandClass(int index) {
      return demandClasses.length == 0 ? 0 : demandClasses[index];
    }

    @Override
    public List<RuleId> ids(long atNanos) {
      if (count() == 1) {
        return List.of(key(0).quotaKey().rule());
      }
      List<RuleId> ids = new ArrayList<>(count());
      for (int i = 0; i < count(); i++) {
        if (!isOfRuleBefore(i)) {
          ids.add(key(i).quotaKey().rule());
        }
      }
      return ids;
    }

    @Override
    public List<RuleDecision> rules(long atNanos) {
      List<RuleDecision> rules = new ArrayList<>(count());
      for (int i = 0; i < count(); i++) {
        RuleDecision rule = key(i).describe(cell(i), cost, demandClass(i), atNanos);
        int last = rules.size() - 1;
        if (!isOfRuleBefore(i)) {
          rules.add(rule);
        } else if (rule.remaining() < rules.get(last).remaining()) {
          rules.set(last, rule);
        }
      }
      return rules;
    }

    /** Whether it is the second quota key of a rule, by the newer of two hash keys. */
    private boolean isOfRuleBefore(int index) {
      return index > 0 && key(index).quotaKey().rule().equals(key(index - 1).quotaKey().rule());
    }
  }

  /** Decides a request by the rules that match it and whose quota key is not paid already. */
  Decision decide(Request request, Collection<QuotaKey> paid, long now, Refusal refusal) {
    AllTaken taken;
    try (MatchedKeys keys = unpaid(request, paid, now)) {
      if (keys.undecided() != MatchedKeys.Undecided.NONE) {
        return decideOthers(keys, request.cost(), now, refusal);
      }
      if (keys.size() == 0) {
        return unmatched;
      }
      int refused = take(keys, request.cost(), now, refusal, null);
      if (refused != NONE) {
        return throttled(keys.get(refused), request.cost(), keys.demandClass(refused), now);
      }
      taken = AllTaken.of(keys, request.cost());
    }
    releaseSlots(taken, now);
    return Standings.admitted(taken, now);
  }

  /** Like {@link #decide}, but says no more than whether the request is admitted. */
  boolean tryAcquire(Request request, long now) {
    AllTaken slots;
    try (MatchedKeys keys = unpaid(request, Set.of(), now)) {
      if (keys.undecided() != MatchedKeys.Undecided.NONE) {
        return decideOthers(keys, request.cost(), now, Refusal.COUNT).admitted();
      }
      if (keys.size() == 0) {
        return unmatched.admitted();
      }
      if (take(keys, request.cost(), now, Refusal.COUNT, null) != NONE) {
        return false;
      }
      slots = keys.holdSlots() ? AllTaken.of(keys, request.cost()) : null;
    }
    if (slots != null) {
      releaseSlots(slots, now);
    }
    return true;
  }

  /** Like {@link #decide}, of a request whose permits may go back. */
  Charge charge(Request request, Collection<QuotaKey> paid, long now, Refusal refusal) {
    try (MatchedKeys keys = unpaid(request, paid, now)) {
      return charge(keys, request.cost(), now, refusal, null);
    }
  }

  private Charge charge(WaitingRequest waiting, long now, Refusal refusal) {
    try (MatchedKeys keys = unpaid(waiting, now)) {
      return charge(keys, waiting.cost(), now, refusal, waiting);
    }
  }

  private Charge charge(
      MatchedKeys keys, long cost, long now, Refusal refusal, @Nullable WaitingRequest waiting) {
    if (keys.undecided() != MatchedKeys.Undecided.NONE) {
      return chargeOthers(keys, cost, now, refusal, waiting);
    }
    if (keys.size() == 0) {
      return Charge.nothing(unmatched);
    }
    int refused = take(keys, cost, now, refusal, waiting);
    if (refused != NONE) {
      return Charge.nothing(throttled(keys.get(refused), cost, keys.demandClass(refused), now));
    }
    AllTaken taken = AllTaken.of(keys, cost);
    return settledLater(Standings.admitted(taken, now), taken, now);
  }

  private Charge settledLater(Decision decision, AllTaken taken, long now) {
    boolean[] awaited = awaitOutcome(taken);
    return new Charge(
        decision, taken.cost, (ending, at) -> settle(taken, awaited, ending, now, at));
  }

  /** Of which rules permits go back if the request turns out otherwise; empty if of none. */
  private static boolean[] awaitOutcome(AllTaken taken) {
    boolean[] awaited = NOTHING_AWAITED;
    for (int i = 0; i < taken.count(); i++) {
      Cell cell = taken.cell(i);
      if (cell != null && !taken.key(i).terms().rule().count().isAlways()) {
        awaited = awaited.length == 0 ? new boolean[taken.count()] : awaited;
        awaited[i] = true;
        cell.awaitOutcome();
      }
    }
    return awaited;
  }

  /**
   * Charges a request of which one rule at least does not know the quota key: a strict one lets
   * nobody in that it cannot count; beside others, the rules that can count go on.
   */
  private Charge chargeOthers(
      MatchedKeys keys, long cost, long now, Refusal refusal, @Nullable WaitingRequest waiting) {
    Decision.NotReady answer = undecided;
    if (keys.undecided() == MatchedKeys.Undecided.STRICT || !answer.admitted()) {
      return Charge.nothing(new Decision.NotReady(false));
    }
    int refused = take(keys, cost, now, refusal, waiting);
    if (refused != NONE) {
      return Charge.nothing(throttled(keys.get(refused), cost, keys.demandClass(refused), now));
    }
    return settledLater(answer, AllTaken.of(keys, cost), now);
  }

  /** The same of a request that holds no slots for longer than it is decided. */
  private Decision decideOthers(MatchedKeys keys, long cost, long now, Refusal refusal) {
    Charge charge = chargeOthers(keys, cost, now, refusal, null);
    charge.settle(cost, now);
    return charge.decision();
  }

  /**
   * Charges a request that waits for its permits if there is no room, and asks for them of every
   * rule that matches.
   */
  Charge chargeOrWait(WaitingRequest waiting, long now) {
    Charge charge = charge(waiting, now, Refusal.AWAIT);
    if (charge.decision().neverAdmitted() || isPenalized(charge.decision())) {
      return chargeAtLast(waiting, now);
    }
    if (charge.decision() instanceof Decision.NotReady) {
      // Of a key that is not known, no permits ever come.
      waiting.awaits(Map.of());
      waiting.lineUp(null);
      return charge;
    }
    Map<KeyAllotment, Integer> enforced =
        charge.decision().admitted() ? Map.of() : enforced(waiting, now);
    waiting.awaits(enforced);
    waiting.lineUp(line(charge.decision(), enforced.keySet()));
    return charge;
  }

  /** Waiting is of no use before a penalty is over. */
  private static boolean isPenalized(Decision decision) {
    return decision instanceof Decision.Throttled throttled
        && throttled.reason() == ThrottleReason.PENALTY;
  }

  /** The key of slots that a request waits for; null if it waits for something else. */
  private static @Nullable KeyAllotment line(Decision decision, Set<KeyAllotment> awaited) {
    if (decision instanceof Decision.Throttled throttled) {
      QuotaKey by = throttled.decidedBy().quotaKey();
      for (KeyAllotment key : awaited) {
        if (key.isOfSlots() && key.quotaKey().equals(by)) {
          return key;
        }
      }
    }
    return null;
  }

  /** Charges a request that waits no longer. */
  Charge chargeAtLast(WaitingRequest waiting, long now) {
    waiting.awaits(Map.of());
    Charge charge = charge(waiting, now, Refusal.COUNT);
    waiting.lineUp(null);
    return charge;
  }

  /** The keys that a request waits for, each with the request's class. */
  private Map<KeyAllotment, Integer> enforced(WaitingRequest waiting, long now) {
    Map<KeyAllotment, Integer> enforced = new LinkedHashMap<>();
    try (MatchedKeys keys = unpaid(waiting, now)) {
      for (int i = 0; i < keys.size(); i++) {
        KeyAllotment key = keys.get(i);
        KeyAllotment newest = key.isRetired() ? live.newest(key, now) : key;
        if (newest != null && !newest.terms().isShadow()) {
          newest = borrowing.orBorrower(keys, i, newest, waiting.cost(), now);
          enforced.put(newest, keys.demandClass(i));
          live.wake(newest);
        }
      }
    }
    return enforced;
  }

  /** The keys that a request has to pay; close them before this thread's next decision. */
  private MatchedKeys unpaid(Request request, Collection<QuotaKey> paid, long now) {
    MatchedKeys keys = scratch.take();
    keys.match(live, unsure, request, now);
    if (!paid.isEmpty()) {
      keys.removePaid(paid);
    }
    return keys;
  }

  /** The keys that a waiting request has to pay by the current rules. */
  private MatchedKeys unpaid(WaitingRequest waiting, long now) {
    if (waiting.target() instanceof WaitingRequest.Target.OneRule one) {
      return ofOneRule(one, now);
    }
    WaitingRequest.Target.Matching all = (WaitingRequest.Target.Matching) waiting.target();
    return unpaid(all.request(), all.paid(), now);
  }

  private MatchedKeys ofOneRule(WaitingRequest.Target.OneRule one, long now) {
    MatchedKeys keys = scratch.take();
    Rule rule = live.inForce().rules().rule(one.rule()).orElse(null);
    if (rule != null && rule.key().names().size() == one.values().size()) {
      int demandClass =
          rule.classes().indexOf(one.demandClass()).orElse(rule.classes().lastDeclared());
      CountedUnder counted = rule.countedUnder(one.values(), live.inForce().hashKeys());
      if (counted instanceof CountedUnder.Keys known) {
        for (QuotaKey key : known.all()) {
          keys.matchOnly(live.findOrFull(rule, key, now), demandClass);
        }
      } else {
        keys.undecided(rule);
      }
    }
    return keys;
  }

  /**
   * Takes from every key, and returns {@link #NONE}; or takes nothing, and returns the index of the
   * one without room.
   *
   * @param waiting null for a request that does not wait: slots that others wait for here are not
   *     for those who come later
   */
  private int take(
      MatchedKeys keys, long cost, long now, Refusal refusal, @Nullable WaitingRequest waiting) {
    for (int i = 0; i < keys.size(); i++) {
      KeyAllotment key = keys.get(i);
      // A shadow rule holds nobody up, so nothing waits for it either.
      boolean shadow = key.terms().isShadow();
      Refusal own = shadow ? Refusal.COUNT : refusal;
      Refusal first = key.isElastic() ? Refusal.BORROW : own;
      boolean waitsItsTurn = !shadow && key.hasLine() && !isInLine(waiting, key);
      Cell cell =
          waitsItsTurn
              ? live.refuse(key, cost, keys.demandClass(i), now, first)
              : live.take(key, cost, keys.demandClass(i), now, first);
      if (cell == null && key.isRetired()) {
        KeyAllotment newest = live.newest(key, now);
        if (newest != null) {
          keys.set(i--, newest);
          continue;
        }
      }
      if (cell == null && key.isElastic()) {
        cell = borrowing.take(keys, i, cost, now, own);
      }
      if (cell == null && !shadow) {
        putBack(keys, i, cost, now);
        return refusal == Refusal.COUNT ? borrowing.refuse(keys, i, cost, now) : i;
      }
      keys.cell(i, cell);
    }
    keys.countBorrowed(cost);
    return NONE;
  }

  private static boolean isInLine(@Nullable WaitingRequest waiting, KeyAllotment key) {
    return waiting != null && waiting.isInLine(key);
  }

  /**
   * A request of which nobody says when it ends holds its slots no longer than it is decided. To be
   * called when its keys are closed: whoever waits for the slots is decided by this thread.
   */
  private void releaseSlots(AllTaken taken, long now) {
    for (int i = 0; i < taken.count(); i++) {
      KeyAllotment key = taken.key(i);
      Cell cell = taken.cell(i);
      if (key.isOfSlots() && cell != null) {
        live.release(key, cell, taken.cost, now);
      }
    }
  }

  private static void putBack(MatchedKeys keys, int count, long permits, long now) {
    for (int i = 0; i < count; i++) {
      Cell cell = keys.cell(i);
      if (cell != null) {
        keys.get(i).putBack(cell, permits, keys.demandClass(i), now);
      }
    }
  }

  static Decision throttled(KeyAllotment by, long cost, int demandClass, long now) {
    boolean deferrable = by.terms().rule().overLimit().defers() && !by.terms().denied();
    return Standings.throttled(
        at -> List.of(by.describe(null, cost, demandClass, at)), deferrable, now);
  }

  private void settle(AllTaken taken, boolean[] awaited, Ending ending, long takenNanos, long now) {
    long charged = taken.cost;
    for (int i = 0; i < taken.count(); i++) {
      Cell cell = taken.cell(i);
      KeyAllotment key = taken.key(i);
      if (cell == null) {
        continue;
      }
      long actual = key.terms().rule().count().permits(ending, charged);
      if (key.isOfSlots()) {
        live.release(key, cell, charged, now);
      } else if (actual < charged) {
        key.refund(cell, charged - actual, takenNanos, now);
        live.wake(key);
      } else if (actual > charged) {
        live.owe(key, actual - charged, now);
      }
      if (awaited.length > 0 && awaited[i]) {
        cell.outcomeTold();
        live.wake(key);
      }
    }
  }
}
