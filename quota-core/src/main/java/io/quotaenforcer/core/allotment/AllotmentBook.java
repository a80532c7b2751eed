package io.quotaenforcer.core.allotment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.GivenUp;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything that one instance holds, and its decisions.
 *
 * <p>{@link #decide} may be called by any number of threads at once and never waits. The other
 * methods exclude each other. No method reads a clock: {@code now} is the instance's monotonic
 * nanoseconds everywhere.
 */
public final class AllotmentBook implements InstanceBook {
  private static final Decision UNMATCHED = new Decision.Unmatched();

  private final BookContext context;
  private final PartitionLinks links;
  private final LiveKeys keys;
  private final Charging charging;
  private volatile boolean awaitsRules;

  @GuardedBy("this")
  private Decision.NotReady beforeRules = new Decision.NotReady(true);

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
    KeyHash hash = new KeyHash(secret, Long.reverse(~secret));
    this.context = new BookContext(settings, maxInstances, hash);
    this.links = new PartitionLinks(settings, wallOffsetNanos);
    this.keys = new LiveKeys(context, links);
    this.charging = new Charging(keys, UNMATCHED);
  }

  /** Sets what is answered until there are rules; to be called before the book is used. */
  public synchronized void beforeRules(Decision.NotReady answer) {
    beforeRules = answer;
    charging.answerUnmatched(answer);
    charging.answerUndecided(answer);
    awaitsRules = true;
  }

  /**
   * Hashes values by other keys from now on. Quota keys by a key that is gone go idle.
   *
   * @param keys none makes requests {@linkplain Decision.NotReady not ready} that a rule matches
   *     which hashes
   */
  public synchronized void hashBy(HashKeys keys) {
    this.keys.hashBy(keys);
  }

  /** The keys that values are hashed by. */
  public HashKeys hashKeys() {
    return keys.inForce().hashKeys();
  }

  /** Whether no rules were put in force since {@link #beforeRules}: they may come at any moment. */
  public boolean awaitsRules() {
    return awaitsRules;
  }

  /** The answer while the rules in force cannot decide. */
  public synchronized Decision.NotReady beforeRules() {
    return beforeRules;
  }

  /** The answer to a request that no rule matches. */
  public Decision unmatched() {
    return charging.unmatched();
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
    return charging.chargeOrWait(waiting, now);
  }

  /** Like {@link #chargeOrWait}, of a request whose permits do not go back. */
  public Decision decideOrWait(WaitingRequest waiting, long now) {
    return chargeOrWait(waiting, now).decision();
  }

  /** Decides for good a request that waits no longer. */
  public Charge chargeAtLast(WaitingRequest waiting, long now) {
    return charging.chargeAtLast(waiting, now);
  }

  /** Like {@link #chargeAtLast}, of a request whose permits do not go back. */
  public Decision giveUp(WaitingRequest waiting, long now) {
    return chargeAtLast(waiting, now).decision();
  }

  /** Lets go of a request that nobody wants decided any more: its permits are asked for no more. */
  public void withdraw(WaitingRequest waiting) {
    waiting.awaits(Map.of());
    waiting.lineUp(null);
  }

  /** Sets who hears of slots that came back; to be called before the book is used. */
  public void whenReleased(ReleaseListener listener) {
    keys.whenReleased(listener);
  }

  /** Whether requests that wait for a key are served in the order in which they came. */
  public boolean servesInOrder(QuotaKey key) {
    return rules()
        .rule(key.rule())
        .filter(rule -> rule.limit() instanceof ConcurrencyLimit)
        .isPresent();
  }

  LiveKeys keys() {
    return keys;
  }

  /** The permits of one key of one rule, to decide on without matching again. */
  public KeyPermits permits(Rule rule, QuotaKey key) {
    return permits(rule, key, rule.classes().lastDeclared());
  }

  /**
   * The same for requests of one class.
   *
   * @param demandClass index of the class; 0 for a rule without classes
   */
  public KeyPermits permits(Rule rule, QuotaKey key, int demandClass) {
    return new KeyPermits(keys, rule, key, demandClass);
  }

  /** The permits of one key of one rule, for requests that wait in a queue. */
  public QueuePermits queue(Rule rule, QuotaKey key) {
    return new QueuePermits(keys, rule, key);
  }

  public RuleSet rules() {
    return keys.inForce().rules();
  }

  /** Local time in the enforcer's clock, as near as it is known for the partition of this key. */
  public long toEnforcerNanos(QuotaKey key, long now) {
    return links.of(key).toEnforcer(now);
  }

  /** Partitions for which the enforcer is away. */
  public int partitionsAway(long now) {
    return links.awayAt(now);
  }

  /** For how long the oldest report without an answer has waited for one; 0 if there is none. */
  public long unansweredNanos(long now) {
    return links.unansweredNanos(now);
  }

  /** Permits that were taken by openings since the start. */
  public long opened() {
    return context.opened.sum();
  }

  /** Permits at hand that were granted, of all quota keys. Looks at each key. */
  public long held(long now) {
    return keys.held(now);
  }

  /** Whether the enforcer is away for a key's partition. */
  public boolean isAway(QuotaKey key, long now) {
    return keys.isAway(key, now);
  }

  /**
   * Whether it has been away for longer than a request may wait, and reports of now get no answer
   * either; not where the instance has a share, whose permits come without an answer.
   */
  public boolean isWaitedForInVain(QuotaKey key, long maxWaitNanos, long now) {
    return links.of(key).isWaitedForInVain(maxWaitNanos, now) && !keys.ridesOut(key, now);
  }

  /** Partitions of the usage topic; 0 before {@link #applyPrefix}. */
  @Override
  public int partitions() {
    return links.count();
  }

  /** Number of quota keys that are in use. */
  public int size() {
    return keys.size();
  }

  /** Number of quota keys that are dormant, or of which something must be known for a time. */
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
    charging.answerUnmatched(UNMATCHED);
    keys.signal();
  }

  @Override
  public synchronized boolean applyIncomplete(RuleSet readable, long now) {
    // First: no request is to find neither a rule nor this.
    charging.answerUnmatched(beforeRules);
    follow(beforeRules.admitted() ? readable : RuleSet.empty(), now);
    keys.signal();
    return beforeRules.admitted();
  }

  private void follow(RuleSet newRules, long now) {
    keys.follow(newRules, now);
    rulesHeard(now);
    awaitsRules = false;
  }

  /** Learns what is fixed for the topics; only then can anything be reported. */
  /** Keys that requests come for follow at the next pass, others once requests come. */
  @Override
  public void applyOwnLimits(OwnLimits limits) {
    context.ownLimits(limits);
  }

  @Override
  public synchronized void applyPrefix(PrefixInfo prefix, long now) {
    context.maxInstances(prefix.maxInstances());
    if (links.assign(prefix.partitions(), now)) {
      keys.relink();
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
    keys.apply(snapshot, receivedNanos);
  }

  private synchronized void recall(QuotaKey key, long now) {
    keys.recall(key, now);
  }

  @Override
  public void rulesHeard(long now) {
    links.rules().heard(now);
  }

  /**
   * Learns that a key has no permits left, is abused, or has another limit; what it keeps at rest
   * is given back.
   */
  @Override
  public void applyExhausted(QuotaKey key, ExhaustedQuota quota, long now) {
    context.exhausted.add(key, quota, links.of(key).toEnforcer(now));
    if (keys.isAtRest(key, now)) {
      recall(key, now);
    } else {
      keys.ask(key);
    }
  }

  /**
   * The reports that are due now. Call it every {@link BookSettings#urgentIntervalNanos} or so;
   * most calls look only at keys that were just seen for the first time or woke up.
   */
  @Override
  public synchronized List<PartitionReport> reports(long now) {
    return keys.reports(now);
  }

  @Override
  public synchronized boolean isQuiet() {
    return keys.isQuiet();
  }

  @Override
  public void whenWoken(Runnable signal) {
    keys.whenWoken(signal);
  }

  /**
   * Gives back all that was granted: the time that is passed in was behind by {@code nanos} until
   * now, since the machine was suspended, or it is ahead by as much from now on.
   */
  public synchronized void stoodStill(long nanos, long now) {
    links.stoodStill(nanos);
    keys.giveBackGranted(now);
  }

  /**
   * Gives everything back: seals every cell, and returns the reports that say so. What is owed is
   * paid from what is held before; the rest is {@linkplain #takeUnpaid not paid}.
   */
  @Override
  public synchronized List<PartitionReport> close(long now) {
    return keys.close(now);
  }

  /** Whether the enforcer has booked all that was ever taken; after {@link #close} only. */
  @Override
  public synchronized boolean isSettled() {
    return keys.areSettled();
  }

  /**
   * Permits owed that nobody will pay, since the last call: the book was closed, or the rule is
   * gone.
   */
  public long takeUnpaid() {
    return keys.takeUnpaid();
  }

  /**
   * Conditions of rules that counted as met because their value was too awkward to try, and how
   * often since the last call. A request that is decided again and again is matched twice.
   */
  public Map<GivenUp, Long> takeGivenUp() {
    return charging.takeGivenUp();
  }
}
