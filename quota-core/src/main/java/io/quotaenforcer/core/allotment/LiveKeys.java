package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The quota keys of one instance: which object stands for a key now, from its first request until
 * it is at rest, or is retired and settled.
 *
 * <p>Finding a key, {@link #take}, {@link #newest}, {@link #owe}, {@link #wake} and {@link
 * #mustReport} may be called by any thread; everything else only by the owner of the book.
 */
final class LiveKeys {
  /** Keys that are looked at in a report interval, to see which can be forgotten. */
  private static final int SWEPT = 5_000;

  private final BookContext context;
  private final PartitionLinks links;
  private final HeldKeys held = new HeldKeys();
  private final KeySweep sweep = new KeySweep(held);
  private final RetiringKeys retiring = new RetiringKeys();
  private final KeyReports reports;
  private final Debt unpaid = new Debt();
  private volatile ReleaseListener whenReleased = (key, now) -> {};
  private volatile boolean closed;
  private long lastForgotNanos = Long.MIN_VALUE;
  private long sweepFromNanos = Long.MIN_VALUE;

  LiveKeys(BookContext context, PartitionLinks links) {
    this.context = context;
    this.links = links;
    this.reports = new KeyReports(context.settings, links, retiring);
  }

  /** Sets who is told of slots that came back, and that requests wait for here. */
  void whenReleased(ReleaseListener listener) {
    whenReleased = listener;
  }

  /** Gives back slots that a request held. */
  void release(KeyAllotment key, Cell cell, long slots, long now) {
    key.release(cell, slots);
    boolean isAwaited;
    if (key.isRetired()) {
      wake(key);
      isAwaited = released(key.quotaKey());
    } else {
      isAwaited = released(key);
    }
    if (isAwaited) {
      serve(key.quotaKey(), now);
    }
  }

  /** Slots of a key have come back; whether requests wait for them here, to be served. */
  boolean released(QuotaKey key) {
    KeyAllotment newest = held.get(key);
    return newest != null && released(newest);
  }

  /** The same, of the object that stands for the key now. */
  boolean released(KeyAllotment key) {
    wake(key);
    return key.hasLine();
  }

  /** Has requests served that wait for slots of a key. */
  void serve(QuotaKey key, long now) {
    whenReleased.released(key, now);
  }

  /** The permits that one rule gave; no cell if it gave none. */
  record Taken(KeyAllotment allotment, @Nullable Cell cell) {}

  BookSettings settings() {
    return context.settings;
  }

  HeldKeys.InForce inForce() {
    return held.inForce();
  }

  /** Number of quota keys that are in use. */
  int size() {
    return held.size();
  }

  /** Whether the enforcer is away for a key's partition. */
  boolean isAway(QuotaKey key, long now) {
    return links.of(key).isAwayAt(now);
  }

  /** Whether the enforcer is away, and the instance goes on with its share of a key's limit. */
  boolean ridesOut(QuotaKey key, long now) {
    KeyAllotment known = held.get(key);
    return known != null && known.ridesOut(now);
  }

  /** Takes from the object that stands for a key now. */
  Taken take(Rule rule, QuotaKey key, long permits, int demandClass, long now, Refusal refusal) {
    return takeOfNewest(findOrFull(rule, key, now), permits, demandClass, now, refusal);
  }

  /**
   * Takes from an object, or from the one that stands for its key now; not where requests wait for
   * its slots, who come first.
   */
  Taken takeOfNewest(KeyAllotment known, long permits, int demandClass, long now, Refusal refusal) {
    KeyAllotment allotment = known;
    while (true) {
      Cell cell =
          allotment.hasLine()
              ? refuse(allotment, permits, demandClass, now, refusal)
              : take(allotment, permits, demandClass, now, refusal);
      KeyAllotment newest = cell == null && allotment.isRetired() ? newest(allotment, now) : null;
      if (newest == null) {
        return new Taken(allotment, cell);
      }
      allotment = newest;
    }
  }

  /** The cell that gave the permits; null when there is no room, or the object is retired. */
  @Nullable Cell take(
      KeyAllotment allotment, long permits, int demandClass, long now, Refusal refusal) {
    // Read only now: close() sees every allotment made before it, and seals what was taken from.
    if (closed) {
      return null;
    }
    Cell cell = allotment.tryTake(permits, demandClass, now);
    if (cell == null) {
      return refuse(allotment, permits, demandClass, now, refusal);
    }
    wake(allotment);
    return cell;
  }

  /**
   * Refuses a request, for which there is no room or whose turn it is not; not of an object that is
   * retired, as the one that stands for its key is to be asked.
   *
   * @return null
   */
  @Nullable Cell refuse(
      KeyAllotment allotment, long permits, int demandClass, long now, Refusal refusal) {
    if (!allotment.isRetired()) {
      if (refusal == Refusal.COUNT) {
        allotment.refuse(permits, demandClass, now);
      }
      wake(allotment);
    }
    return null;
  }

  /** The object that stands now for the key of a retired one; null if there can be none. */
  @Nullable KeyAllotment newest(KeyAllotment retired, long now) {
    return closed ? null : find(retired.terms().rule(), retired.quotaKey(), now);
  }

  /** The object that stands for a key; null when as many keys are held as may be. */
  @Nullable KeyAllotment find(Rule rule, QuotaKey key, long now) {
    KeyAllotment known = held.get(key);
    if (known != null && !known.isRetired()) {
      return known;
    }
    if (known == null && held.size() + retiring.count() >= context.settings.maxKeys()) {
      return null;
    }
    return held.live(rule, key, (keys, before) -> create(keys, key, before, now));
  }

  /** Like {@link #find}, but one that never has room when as many keys are held as may be. */
  KeyAllotment findOrFull(Rule rule, QuotaKey key, long now) {
    KeyAllotment known = find(rule, key, now);
    if (known != null) {
      return known;
    }
    Origin unknown = Origin.forgotten(Long.MAX_VALUE, Long.MAX_VALUE);
    KeyAllotment full = create(held.of(rule), key, unknown, now);
    full.retire(now);
    return full;
  }

  private KeyAllotment create(
      RuleKeys keys, QuotaKey key, @Nullable KeyAllotment before, long now) {
    long period = keys.terms(key).limit().periodNanos();
    DormantKey rested = before == null ? null : before.rested();
    Origin origin =
        rested == null
            ? context.memory.recall(key, period, now)
            : Origin.dormant(rested, period, now);
    return create(keys, key, origin, now);
  }

  private KeyAllotment create(RuleKeys keys, QuotaKey key, Origin origin, long now) {
    KeyTerms terms = keys.terms(key).inForce(context.ownLimits());
    return new KeyAllotment(context, key, new KeyStart(terms, links.of(key), origin, now));
  }

  /** Has the owner of the book look at a key. */
  void wake(KeyAllotment allotment) {
    reports.wake(allotment);
  }

  /** Puts the permits taken from this key into the next reports. */
  void mustReport(KeyAllotment allotment) {
    reports.mustReport(allotment);
  }

  /** Has a quota key owe permits, whichever object stands for it by now. */
  void owe(KeyAllotment charged, long permits, long now) {
    KeyAllotment owing = charged;
    while (owing != null && !closed) {
      if (owing.owe(permits, now)) {
        wake(owing);
        return;
      }
      Rule newest = inForce().rules().rule(charged.quotaKey().rule()).orElse(null);
      owing = newest == null ? null : find(newest, charged.quotaKey(), now);
    }
    unpaid.add(permits);
  }

  /** Permits owed that nobody will pay, since the last call. */
  long takeUnpaid() {
    return unpaid.handOver();
  }

  /** Puts other rules in force. */
  void follow(RuleSet rules, long now) {
    if (held.follow(rules)) {
      context.memory.forgetAnswers();
    }
    held.forEach(
        allotment -> {
          allotment.forgetBorrower();
          followRule(allotment, now);
        });
  }

  void hashBy(HashKeys keys) {
    held.hashBy(keys);
  }

  boolean isAtRest(QuotaKey key, long now) {
    KeyAllotment known = held.get(key);
    return known != null && known.isAtRest(now);
  }

  /** Gives back what a key keeps that nobody asks for: others need it. */
  void recall(QuotaKey key, long now) {
    KeyAllotment known = held.get(key);
    if (known != null) {
      recall(known, now);
    }
  }

  private void recall(KeyAllotment resting, long now) {
    givenBack(resting, resting.giveBackAtRest(now));
  }

  private void givenBack(KeyAllotment allotment, boolean isToReport) {
    if (isToReport) {
      reports.mustReport(allotment);
      reports.wake(allotment);
    }
  }

  /** Asks how a key stands that the enforcer may have given another limit, or a penalty. */
  void ask(QuotaKey key) {
    KeyAllotment known = held.get(key);
    if (known != null && known.isAwake() && mayBeTold(known.terms().rule())) {
      reports.mustReport(known);
    }
  }

  private static boolean mayBeTold(Rule rule) {
    return rule.limitsMayDiffer() || rule.penalty().isPresent();
  }

  /** Gives back all that was granted. */
  void giveBackGranted(long now) {
    held.forEach(
        allotment -> {
          if (allotment.giveBackGranted(now)) {
            reports.wake(allotment);
          }
        });
  }

  /** Permits at hand that were granted, of all keys. */
  long held(long now) {
    LongAdder permits = new LongAdder();
    held.forEach(allotment -> permits.add(allotment.held(now)));
    return permits.sum();
  }

  /** The partitions are known now. */
  void relink() {
    held.forEach(allotment -> allotment.link(links.of(allotment.quotaKey())));
  }

  void apply(QuotaSnapshot snapshot, long now) {
    for (QuotaAnswer answer : snapshot.quotas()) {
      KeyAllotment allotment = held.get(answer.quotaKey());
      if (allotment != null) {
        retiring.adoptedBy(allotment);
        apply(allotment, answer, snapshot, now);
        if (allotment.isDozing()) {
          reports.wake(allotment);
        }
      }
      for (KeyAllotment gone : retiring.of(answer.quotaKey())) {
        apply(gone, answer, snapshot, now);
      }
    }
  }

  private static void apply(
      KeyAllotment allotment, QuotaAnswer answer, QuotaSnapshot snapshot, long now) {
    allotment.apply(answer, snapshot.enforcerNanos(), snapshot.echoSentNanos(), now);
  }

  /** The reports due now, for the keys that have something to say. */
  List<PartitionReport> reports(long now) {
    context.held(held.size());
    context.pauses.look(now);
    List<KeyAllotment> keys = reports.beginPass(now);
    if (lastForgotNanos == Long.MIN_VALUE
        || now - lastForgotNanos >= context.settings.reportIntervalNanos()) {
      lastForgotNanos = now;
      forget(now);
    }
    return reports.look(
        keys, allotment -> followRule(allotment, now), quiet -> rest(quiet, now), now);
  }

  boolean isQuiet() {
    return retiring.count() == 0 && reports.isQuiet();
  }

  void whenWoken(Runnable signal) {
    reports.whenWoken(signal);
  }

  void signal() {
    reports.signal();
  }

  /** Retires every key, and returns the last reports of all. */
  List<PartitionReport> close(long now) {
    closed = true;
    held.forEach(allotment -> retire(allotment, now));
    return reports.closing(retiring.all(), now);
  }

  boolean areSettled() {
    return retiring.areSettled();
  }

  /** False when the allotment had to be retired: its rule is gone or counts differently. */
  private boolean followRule(KeyAllotment allotment, long now) {
    Rule before = allotment.terms().rule();
    Rule after = inForce().rules().rule(before.id()).orElse(null);
    if (after == before) {
      allotment.follow(context.ownLimits(), now);
      return true;
    }
    Limit limit = allotment.terms().limit();
    if (after != null && allotment.follow(held.of(after).terms(allotment.quotaKey()), now)) {
      boolean mayDiffer =
          !after.entitlements().equals(before.entitlements())
              || !after.adapt().equals(before.adapt());
      if (mayDiffer || !allotment.terms().limit().equals(limit)) {
        // Nobody may tell of it for as long as the share is good.
        givenBack(allotment, allotment.giveBackLong(now));
      }
      allotment.follow(context.ownLimits(), now);
      return true;
    }
    retire(allotment, after != null && RuleKeys.beginsAnew(before, after), now);
    return false;
  }

  /** Puts a key aside that holds nothing, and that nobody asks for. */
  private void rest(KeyAllotment quiet, long now) {
    DormantKey rest = quiet.rest(now);
    if (rest != null) {
      held.remove(quiet, () -> context.memory.rested(quiet.quotaKey(), rest));
    }
  }

  /** Forgets keys that no longer matter. */
  private void forget(long now) {
    long idle = context.settings.evictAfterNanos();
    if (now >= sweepFromNanos && sweep.next(SWEPT, key -> forget(key, idle, now))) {
      sweepFromNanos = now + context.settings.sweptEveryNanos();
    }
    context.forgetEnded(key -> links.of(key).toEnforcer(now), now);
  }

  private void forget(KeyAllotment key, long idleNanos, long now) {
    if (key.isRestEnding(now)) {
      recall(key, now);
    } else if (key.isIdleFor(idleNanos, now) && !key.mustBeKept(now)) {
      retire(key, now);
    }
  }

  private void retire(KeyAllotment allotment, long now) {
    retire(allotment, false, now);
  }

  /**
   * Retires a key.
   *
   * @param beginsAnew whether the next object of the key counts anew
   */
  private void retire(KeyAllotment allotment, boolean beginsAnew, long now) {
    retiring.adoptedBy(allotment);
    if (allotment.isBalanced()) {
      // Before a decision can find it retired and make another one, which opens it again.
      DormantKey known = allotment.dormant(now);
      context.memory.rested(allotment.quotaKey(), beginsAnew ? known.countedAnew() : known);
    }
    long owed = allotment.retire(now);
    held.remove(allotment.quotaKey(), allotment);
    reports.remove(allotment);
    if (!allotment.isSettled()) {
      retiring.add(allotment);
    }
    if (owed > 0) {
      owe(allotment, owed, now);
    }
  }
}
