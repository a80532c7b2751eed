package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.GivenUp;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.core.rule.UnsureMatches;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one instance holds, and its decisions.
 *
 * <p>{@link #decide} may be called by any number of threads at once and never waits. The other
 * methods exclude each other. No method reads a clock: {@code now} is the instance's monotonic
 * nanoseconds everywhere.
 */
public final class AllotmentBook implements InstanceBook {
  /** Keys that are looked at in a report interval, to see which can be forgotten. */
  private static final int SWEPT = 5_000;

  private static final Decision UNMATCHED = new Decision.Unmatched();

  private final BookSettings settings;
  private final BookContext context;
  private final PartitionLinks links;
  private final HeldKeys held = new HeldKeys();
  private final KeySweep sweep = new KeySweep(held);
  private final RetiringKeys retiring = new RetiringKeys();
  private final KeyReports reports;
  private final Charging charging = new Charging(this);
  private final Debt unpaid = new Debt();
  private final UnsureMatches unsure = new UnsureMatches();
  private volatile Runnable whenWoken = () -> {};
  private volatile Decision unmatched = UNMATCHED;
  private volatile boolean awaitsRules;
  private Decision.NotReady beforeRules = new Decision.NotReady(true);
  private volatile boolean closed;
  private long lastSweptNanos = Long.MIN_VALUE;

  /**
   * A book of quota keys that nobody invents to do harm.
   *
   * @param maxInstances most instances there may be, until {@link #applyPrefix} tells
   * @param wallOffsetNanos epoch time minus monotonic time when this starts; used for window
   *     borders until the enforcer's own clock is known
   */
  public AllotmentBook(BookSettings settings, int maxInstances, long wallOffsetNanos) {
    this(settings, maxInstances, wallOffsetNanos, 0);
  }

  /**
   * A book of quota keys that strangers may invent.
   *
   * @param maxInstances most instances there may be, until {@link #applyPrefix} tells
   * @param wallOffsetNanos epoch time minus monotonic time when this starts; used for window
   *     borders until the enforcer's own clock is known
   * @param secret random, and known to nobody: who knows it can invent quota keys that are taken
   *     for others
   */
  public AllotmentBook(BookSettings settings, int maxInstances, long wallOffsetNanos, long secret) {
    this.settings = settings;
    KeyHash hash = new KeyHash(secret, Long.reverse(~secret));
    this.context = new BookContext(settings, maxInstances, hash);
    this.links = new PartitionLinks(settings, wallOffsetNanos);
    this.reports = new KeyReports(settings, links, retiring);
  }

  /** Sets what is answered until there are rules; to be called before the book is used. */
  public void beforeRules(Decision.NotReady answer) {
    beforeRules = answer;
    unmatched = answer;
    awaitsRules = true;
  }

  /** Whether no rules were put in force since {@link #beforeRules}: they may come at any moment. */
  public boolean awaitsRules() {
    return awaitsRules;
  }

  /** The answer to a request that no rule matches. */
  Decision unmatched() {
    return unmatched;
  }

  /** Decides a request by every rule that matches it: all must have room, or none is charged. */
  public Decision decide(Request request, long now) {
    return decideOthers(request, Set.of(), now);
  }

  /**
   * Decides a request by every rule that matches it and whose quota key is not paid already; one
   * that has no other rules is {@linkplain Decision.Unmatched unmatched}.
   */
  public Decision decideOthers(Request request, Collection<QuotaKey> paid, long now) {
    return charging.decide(request, paid, now, Refusal.COUNT);
  }

  /**
   * Decides a request as {@link #decide} does, and says no more than whether it is admitted: that
   * allocates nothing for a request that is decided again and again.
   */
  public boolean tryAcquire(Request request, long now) {
    return charging.tryAcquire(request, now);
  }

  /**
   * Decides a request whose actual cost is known later: that of the request is an estimate. What it
   * costs less goes back to where it came from, as far as the rule's windows or its algorithm
   * allow; what it costs more this instance owes, and pays from the permits that come next.
   */
  public Charge charge(Request request, long now) {
    return charging.charge(request, Set.of(), now, Refusal.COUNT);
  }

  /**
   * Decides a request that waits if there is no room: its permits are asked of the enforcer for
   * every rule that matches, so that they come together, but not counted as throttled. One that
   * costs more than a limit ever gives is decided for good.
   */
  public Charge chargeOrWait(WaitingRequest waiting, long now) {
    Charge charge = charging.charge(waiting.request(), waiting.paid(), now, Refusal.AWAIT);
    if (charge.decision().neverAdmitted()) {
      return chargeAtLast(waiting, now);
    }
    waiting.awaits(charge.decision().admitted() ? Set.of() : enforced(waiting, now));
    return charge;
  }

  /** As {@link #chargeOrWait}, of a request whose permits do not go back. */
  public Decision decideOrWait(WaitingRequest waiting, long now) {
    return chargeOrWait(waiting, now).decision();
  }

  /** Decides for good a request that waits no longer. */
  public Charge chargeAtLast(WaitingRequest waiting, long now) {
    waiting.awaits(Set.of());
    return charging.charge(waiting.request(), waiting.paid(), now, Refusal.COUNT);
  }

  /** As {@link #chargeAtLast}, of a request whose permits do not go back. */
  public Decision giveUp(WaitingRequest waiting, long now) {
    return chargeAtLast(waiting, now).decision();
  }

  /** Lets go of a request that nobody wants decided any more: its permits are asked for no more. */
  public void withdraw(WaitingRequest waiting) {
    waiting.awaits(Set.of());
  }

  private Set<KeyAllotment> enforced(WaitingRequest waiting, long now) {
    Set<KeyAllotment> enforced = new LinkedHashSet<>();
    try (MatchedKeys keys = charging.unpaid(waiting.request(), waiting.paid(), now)) {
      for (int i = 0; i < keys.size(); i++) {
        KeyAllotment key = keys.get(i);
        KeyAllotment live = key.isRetired() ? newest(key, now) : key;
        if (live != null && !live.isShadow()) {
          enforced.add(live);
          wake(live);
        }
      }
    }
    return enforced;
  }

  /** The permits of one key of one rule, to decide on without matching again. */
  public KeyPermits permits(Rule rule, QuotaKey key) {
    return new KeyPermits(this, rule, key);
  }

  /** The permits of one key of one rule, for requests that wait in a queue. */
  public QueuePermits queue(Rule rule, QuotaKey key) {
    return new QueuePermits(this, rule, key);
  }

  BookSettings settings() {
    return settings;
  }

  public RuleSet rules() {
    return held.inForce().rules();
  }

  HeldKeys.InForce inForce() {
    return held.inForce();
  }

  /** Local time in the enforcer's clock, as near as it is known for the partition of this key. */
  public long toEnforcerNanos(QuotaKey key, long now) {
    return links.of(key).toEnforcer(now);
  }

  /** Partitions for which the enforcer is away. */
  public int partitionsAway(long now) {
    return links.awayAt(now);
  }

  /** Whether the enforcer is away for a key's partition. */
  public boolean isAway(QuotaKey key, long now) {
    return links.of(key).isAwayAt(now);
  }

  /**
   * Whether it has been away for longer than a request may wait, and reports of now get no answer
   * either.
   */
  public boolean isWaitedForInVain(QuotaKey key, long maxWaitNanos, long now) {
    return links.of(key).isWaitedForInVain(maxWaitNanos, now);
  }

  /** Partitions of the usage topic; 0 before {@link #applyPrefix}. */
  @Override
  public int partitions() {
    return links.count();
  }

  /** Number of quota keys that are in use. */
  public int size() {
    return held.size();
  }

  /** Number of quota keys that are at rest, or of which something must be known for a time. */
  public int remembered() {
    return context.memory.size();
  }

  /**
   * Puts other rules in force. Keys of a rule that is gone, or counts differently now, start anew;
   * what was used of them is reported to the end.
   */
  @Override
  public synchronized void applyRules(RuleSet newRules, long now) {
    follow(newRules, now);
    unmatched = UNMATCHED;
    whenWoken.run();
  }

  @Override
  public synchronized boolean applyIncomplete(RuleSet readable, long now) {
    // First: no request is to find neither a rule nor this.
    unmatched = beforeRules;
    follow(beforeRules.admitted() ? readable : RuleSet.empty(), now);
    whenWoken.run();
    return beforeRules.admitted();
  }

  private void follow(RuleSet newRules, long now) {
    if (held.follow(newRules)) {
      context.memory.forgetAnswers();
    }
    awaitsRules = false;
    held.forEach(allotment -> followRule(allotment, now));
  }

  /** Learns what is fixed for the topics; only then can anything be reported. */
  @Override
  public synchronized void applyPrefix(PrefixInfo prefix, long now) {
    context.maxInstances(prefix.maxInstances());
    if (links.assign(prefix.partitions(), now)) {
      held.forEach(allotment -> allotment.link(links.of(allotment.quotaKey())));
    }
  }

  /** Applies the enforcer's answer to a report of this instance. */
  @Override
  public synchronized void applySnapshot(QuotaSnapshot snapshot, long receivedNanos) {
    if (snapshot.usagePartition() < 0 || snapshot.usagePartition() >= links.count()) {
      return;
    }
    links
        .get(snapshot.usagePartition())
        .answered(snapshot.echoSentNanos(), snapshot.enforcerNanos(), receivedNanos);
    for (QuotaAnswer answer : snapshot.quotas()) {
      KeyAllotment allotment = held.get(answer.quotaKey());
      if (allotment != null) {
        retiring.adoptedBy(allotment);
        apply(allotment, answer, snapshot, receivedNanos);
      }
      for (KeyAllotment gone : retiring.of(answer.quotaKey())) {
        apply(gone, answer, snapshot, receivedNanos);
      }
    }
  }

  /** Learns that a key has no permits left, or is abused. */
  @Override
  public void applyExhausted(QuotaKey key, ExhaustedQuota quota, long now) {
    context.exhausted.add(key, quota, links.of(key).toEnforcer(now));
  }

  /**
   * What to report now. To be called every {@link BookSettings#urgentIntervalNanos} or so; most
   * calls look only at keys that were just seen for the first time or woke up.
   */
  @Override
  public synchronized List<PartitionReport> reports(long now) {
    List<KeyAllotment> keys = reports.beginPass(now);
    if (lastSweptNanos == Long.MIN_VALUE
        || now - lastSweptNanos >= settings.reportIntervalNanos()) {
      lastSweptNanos = now;
      evict(now);
    }
    return reports.look(
        keys, allotment -> followRule(allotment, now), quiet -> rest(quiet, now), now);
  }

  @Override
  public synchronized boolean isQuiet() {
    return retiring.count() == 0 && reports.isQuiet();
  }

  @Override
  public void whenWoken(Runnable signal) {
    whenWoken = signal;
  }

  /**
   * Gives everything back: seals every cell, and returns the reports that say so. What is owed is
   * paid from what is held before; the rest is {@linkplain #takeUnpaid not paid}.
   */
  @Override
  public synchronized List<PartitionReport> close(long now) {
    closed = true;
    held.forEach(allotment -> retire(allotment, now));
    return reports.closing(retiring.all(), now);
  }

  /** Whether the enforcer has booked all that was ever taken; after {@link #close} only. */
  @Override
  public synchronized boolean isSettled() {
    return retiring.areSettled();
  }

  Charging.Taken take(Rule rule, QuotaKey key, long permits, long now, Refusal refusal) {
    KeyAllotment allotment = allotmentOrFull(rule, key, now);
    while (true) {
      Cell cell = take(allotment, permits, now, refusal);
      KeyAllotment newest = cell == null && allotment.isRetired() ? newest(allotment, now) : null;
      if (newest == null) {
        return new Charging.Taken(allotment, cell);
      }
      allotment = newest;
    }
  }

  /** The cell that gave the permits; null when there is no room, or the object is retired. */
  @Nullable Cell take(KeyAllotment allotment, long permits, long now, Refusal refusal) {
    // Read only now: close() sees every allotment made before it, and seals what was taken from.
    if (closed) {
      return null;
    }
    Cell cell = allotment.tryTake(permits, now);
    if (cell == null && allotment.isRetired()) {
      return null;
    }
    if (cell == null && refusal == Refusal.COUNT) {
      allotment.refuse(permits, now);
    }
    wake(allotment);
    return cell;
  }

  /** The object that stands now for the key of a retired one; null if there can be none. */
  @Nullable KeyAllotment newest(KeyAllotment retired, long now) {
    return closed ? null : allotment(retired.rule(), retired.quotaKey(), now);
  }

  /** What was taken of it is to be in the next reports. */
  synchronized void mustReport(KeyAllotment allotment) {
    reports.mustReport(allotment);
    whenWoken.run();
  }

  /** Has a quota key owe permits, whichever object stands for it by now. */
  void owe(KeyAllotment charged, long permits, long now) {
    KeyAllotment owing = charged;
    while (owing != null && !closed) {
      if (owing.owe(permits, now)) {
        wake(owing);
        return;
      }
      Rule newest = rules().rule(charged.quotaKey().rule()).orElse(null);
      owing = newest == null ? null : allotment(newest, charged.quotaKey(), now);
    }
    unpaid.add(permits);
  }

  /**
   * Permits owed that nobody will pay, since the last call: the book was closed, or the rule is
   * gone.
   */
  public long takeUnpaid() {
    return unpaid.handOver();
  }

  /** Notes that a rule was taken to match though a condition on an attribute was given up. */
  void matchedUnsurely(RuleId rule, String attribute) {
    unsure.add(rule, attribute);
  }

  /**
   * Conditions of rules that counted as met because their value was too awkward to try, and how
   * often since the last call. A request that is decided again and again is matched twice.
   */
  public Map<GivenUp, Long> takeGivenUp() {
    return unsure.take();
  }

  void wake(KeyAllotment allotment) {
    if (reports.wake(allotment)) {
      whenWoken.run();
    }
  }

  /** Null when as many keys are held as may be. */
  @Nullable KeyAllotment allotment(Rule rule, QuotaKey key, long now) {
    KeyAllotment known = held.get(key);
    if (known != null && !known.isRetired()) {
      return known;
    }
    if (known == null && held.size() + retiring.count() >= settings.maxKeys()) {
      return null;
    }
    return held.live(rule, key, (keys, before) -> create(keys, key, before, now));
  }

  /** As {@link #allotment}, but one that never has room when as many keys are held as may be. */
  KeyAllotment allotmentOrFull(Rule rule, QuotaKey key, long now) {
    KeyAllotment known = allotment(rule, key, now);
    if (known != null) {
      return known;
    }
    KeyTerms terms = held.of(rule).terms(key);
    Origin unknown = Origin.forgotten(Long.MAX_VALUE, Long.MAX_VALUE);
    KeyAllotment full = new KeyAllotment(context, key, terms, links.of(key), unknown, now);
    full.retire(now);
    return full;
  }

  private KeyAllotment create(
      RuleKeys keys, QuotaKey key, @Nullable KeyAllotment before, long now) {
    KeyTerms terms = keys.terms(key);
    long period = terms.limit().periodNanos();
    DormantKey rested = before == null ? null : before.rested();
    Origin origin =
        rested == null
            ? context.memory.recall(key, period, now)
            : Origin.dormant(rested, period, now);
    return new KeyAllotment(context, key, terms, links.of(key), origin, now);
  }

  private static void apply(
      KeyAllotment allotment, QuotaAnswer answer, QuotaSnapshot snapshot, long now) {
    allotment.apply(answer, snapshot.enforcerNanos(), snapshot.echoSentNanos(), now);
  }

  /** False when the allotment had to be retired: its rule is gone or counts differently. */
  private boolean followRule(KeyAllotment allotment, long now) {
    Rule before = allotment.rule();
    Rule after = rules().rule(before.id()).orElse(null);
    if (after == before) {
      return true;
    }
    if (after != null && allotment.follow(held.of(after).terms(allotment.quotaKey()), now)) {
      return true;
    }
    retire(allotment, now);
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
  private void evict(long now) {
    long idle = settings.evictAfterNanos();
    sweep.next(
        SWEPT, key -> key.isIdleFor(idle, now) && !key.mustBeKept(now), over -> retire(over, now));
    context.forgetEnded(key -> links.of(key).toEnforcer(now), now);
  }

  private void retire(KeyAllotment allotment, long now) {
    retiring.adoptedBy(allotment);
    if (allotment.isBalanced()) {
      // Before a decision can find it retired and make another one, which opens it again.
      context.memory.rested(allotment.quotaKey(), allotment.dormant(now));
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

  /** What becomes of permits that a rule has no room for. */
  enum Refusal {
    /** They count as throttled. */
    COUNT,
    /** A request waits for them. */
    AWAIT
  }
}
