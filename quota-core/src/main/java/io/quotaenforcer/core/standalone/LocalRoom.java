package io.quotaenforcer.core.standalone;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.rule.MatchedRules;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether all quota keys of a request have room for it. To be used once, with the monitors of all
 * keys held.
 */
final class LocalRoom {
  private final MatchedRules matches;
  private final LocalKey[] keys;
  private final int[] demandClasses;
  private final long cost;
  private final long now;

  /** Whether each key is to give permits. */
  private final boolean[] gives;

  /**
   * For each pool, the index of the key that borrows from it; {@link MatchedRules#NONE} if none
   * does.
   */
  private final int[] borrower;

  /** Permits charged to one rule, and the time. */
  record Taken(RuleSet.Match match, LocalKey key, long atNanos) {}

  LocalRoom(MatchedRules matches, LocalKey[] keys, int[] demandClasses, long cost, long now) {
    this.matches = matches;
    this.keys = keys;
    this.demandClasses = demandClasses.clone();
    this.cost = cost;
    this.now = now;
    this.gives = new boolean[keys.length];
    this.borrower = new int[keys.length];
    Arrays.fill(borrower, MatchedRules.NONE);
  }

  long cost() {
    return cost;
  }

  long now() {
    return now;
  }

  /** Throttled by the first key without room, which is enforced; null when there is none. */
  Decision.@Nullable Throttled look() {
    for (int i = 0; i < keys.length; i++) {
      if (matches.isBorrowed(i)) {
        continue;
      }
      gives[i] = keys[i].hasRoom(cost, demandClasses[i], now);
      if (!gives[i] && !borrows(i) && keys[i].isEnforced()) {
        return throttled(borrower[i] == MatchedRules.NONE ? i : borrower[i]);
      }
    }
    return null;
  }

  private boolean borrows(int index) {
    int by = matches.borrowing().get(index);
    if (by == MatchedRules.NONE || !keys[by].hasRoom(cost, demandClasses[index], now)) {
      return false;
    }
    gives[by] = true;
    if (keys[index].isEnforced()) {
      int pool = matches.pools().get(index);
      borrower[pool] = index;
      demandClasses[pool] = matches.all().get(pool).rule().classes().last();
    }
    return true;
  }

  private Decision.Throttled throttled(int by) {
    RuleSet.Match match = matches.all().get(by);
    return new Decision.Throttled(
        keys[by].describe(cost, demandClasses[by], false, now),
        match.rule().overLimit().defers() && !keys[by].isDenied());
  }

  /** Takes from every key that has room. */
  List<Taken> take() {
    List<Taken> taken = new ArrayList<>(keys.length);
    for (int i = 0; i < keys.length; i++) {
      if (gives[i]) {
        taken.add(new Taken(matches.all().get(i), keys[i], keys[i].take(cost)));
      }
    }
    return taken;
  }

  /** How each rule stands; of one that borrows, what counts that. */
  List<RuleDecision> describe() {
    List<RuleDecision> decisions = new ArrayList<>(keys.length);
    for (int i = 0; i < keys.length; i++) {
      int by = matches.borrowing().get(i);
      boolean isReplaced = by != MatchedRules.NONE && gives[by];
      if (gives[i] || !matches.isBorrowed(i) && !isReplaced) {
        add(decisions, keys[i].describe(cost, demandClasses[i], gives[i], now));
      }
    }
    return decisions;
  }

  /**
   * Keeps only one of the two quota keys that a rule has while hash keys are rotated: the one with
   * less left.
   */
  private static void add(List<RuleDecision> decisions, RuleDecision next) {
    int last = decisions.size() - 1;
    if (last < 0 || !decisions.get(last).quotaKey().rule().equals(next.quotaKey().rule())) {
      decisions.add(next);
    } else if (next.remaining() < decisions.get(last).remaining()) {
      decisions.set(last, next);
    }
  }
}
