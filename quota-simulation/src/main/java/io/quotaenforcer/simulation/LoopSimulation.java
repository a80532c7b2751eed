package io.quotaenforcer.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.ledger.PenaltyState;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The real ledger and allotment books of several instances under a simulated network, in one
 * thread: messages are delayed, lost, repeated and reordered by the seed; instances and the
 * enforcer crash and pause, and rules change, as the test demands.
 */
public final class LoopSimulation {
  static final long MILLI = 1_000_000L;
  static final long START = 1_700_000_000_000_000_000L;
  static final int MAX_INSTANCES = 10;

  /** Attribute of a third of the requests, if the rule has classes. */
  static final String JOB = "job";

  /** Longest pause between two repeats of an unanswered instance's last report: five leases. */
  private static final long LONGEST_PAUSE = 10_000 * MILLI;

  /**
   * After this many repeats, a network that loses a tenth each way has lost all of them once in
   * 20,000 times.
   */
  private static final int REPEATS = 6;

  private final Timeline time = new Timeline(START);
  private final LeaseAudit leases = new LeaseAudit();
  private final ShareWatch shares = new ShareWatch();
  private final SimulatedEnforcer enforcer;
  private final List<SimulatedInstance> instances = new ArrayList<>();
  private final List<SimulatedInstance> past = new ArrayList<>();
  private final SimulatedCombiner combiner = new SimulatedCombiner();
  private final Map<Integer, SimulatedQueue> queues = new HashMap<>();
  private final SplittableRandom random;
  private final Clients clients;
  private final Letters letters;
  private final Conditions conditions;
  private final FaultCounts faults = new FaultCounts();
  private final Mishaps mishaps;
  private final SlotOracle slots = new SlotOracle();
  private final List<Rule> others;
  private Rule rule;
  public final List<Admission> admissions = new ArrayList<>();
  public long requested;
  public long throttled;

  private final Map<String, Served> served = new TreeMap<>();

  /** Actual cost of requests for which permits were reserved. */
  public long actual;

  /** Permits reserved beyond the actual cost and refunded. */
  public long refunded;

  /** Admissions of replays, included in the total. */
  public long replayed;

  /** Delay, loss and repetition of messages. */
  public record Network(long delayNanos, double loss, double repeat) {}

  public LoopSimulation(Rule rule, int count, Network network, long seed) {
    this(rule, count, Conditions.of(network), seed);
  }

  public LoopSimulation(Rule rule, int count, Conditions conditions, long seed) {
    this(rule, List.of(), count, conditions, seed);
  }

  /**
   * A simulation of several rules.
   *
   * @param rule the one that may change
   * @param others rules that requests match, too, such as the pool of which the first one borrows
   */
  LoopSimulation(Rule rule, List<Rule> others, int count, Conditions conditions, long seed) {
    this.rule = rule;
    this.others = List.copyOf(others);
    this.conditions = conditions;
    this.random = new SplittableRandom(seed);
    this.clients =
        new Clients(time, instances::get, () -> this.rule, random, new SplittableRandom(~seed));
    this.letters = new Letters(time, conditions.network(), random, this::hit);
    this.enforcer =
        new SimulatedEnforcer(
            time,
            rules(rule),
            conditions.ledgerSettings(),
            leases,
            shares,
            conditions.commitNanos(),
            this::recall);
    this.mishaps = new Mishaps(time, enforcer, instances, conditions.enforcersAgree(), faults);
    for (int i = 0; i < count; i++) {
      instances.add(started(i, i));
    }
  }

  /** Sends requests of an instance's clients at random times, {@code perSecond} on average. */
  public void load(int instance, String user, double perSecond, long untilNanos) {
    load(instance, Request.of("user", user), perSecond, untilNanos);
  }

  /** Like {@link #load}, with requests like this one. */
  public void load(int instance, Request request, double perSecond, long untilNanos) {
    clients.bursts(instance, request, perSecond, new Clients.Rhythm(1, 0), START + untilNanos);
  }

  /** Permits by the name of the class that requests were of, decided since the last call. */
  public Map<String, Served> takeServed() {
    Map<String, Served> taken = Map.copyOf(served);
    served.clear();
    return taken;
  }

  /** Permits over a limit that held all the time, in the worst window by true time. */
  public long worstExcess(Limit limit) {
    return new AdmissionOracle((generation, at) -> limit, ClockAudit.Shown::trueTime)
        .worstExcess(admissions);
  }

  void decided(String demandClass, long permits, boolean isAdmitted) {
    served.merge(demandClass, new Served(permits, isAdmitted ? permits : 0), Served::plus);
  }

  /** Sends requests of an instance's clients at once. */
  public void burst(int instance, String user, int requests, long atNanos) {
    clients.burst(instance, user, requests, START + atNanos);
  }

  /**
   * Requests that hold slots.
   *
   * @param perSecond on average
   * @param meanHoldNanos for which they run on average
   * @param mostHoldNanos for which they run at most
   * @param mostCost from 1 on
   * @param waitNanos for which they wait; 0 for not at all
   */
  public record Passing(
      double perSecond, long meanHoldNanos, long mostHoldNanos, int mostCost, long waitNanos) {}

  /** Like {@link #load}, with requests that hold slots until they end. */
  public void passages(int instance, String user, Passing each, long untilNanos) {
    clients.passages(instance, user, each, START + untilNanos);
  }

  /** One request of an instance that holds slots for so long. */
  public void passage(int instance, String user, long holdNanos, long mostNanos, long atNanos) {
    time.at(
        START + atNanos,
        () ->
            instances
                .get(instance)
                .enter(Request.of("user", user), holdNanos, mostNanos, 2 * holdNanos));
  }

  /** One request of an instance that wants so many slots, and holds them as long as it may. */
  void passageOfCost(int instance, String user, long slots, long holdNanos, long atNanos) {
    passageOfCost(instance, user, slots, holdNanos, 2 * holdNanos, atNanos);
  }

  /** One that waits for them no longer than so. */
  void passageOfCost(
      int instance, String user, long slots, long holdNanos, long waitNanos, long atNanos) {
    time.at(
        START + atNanos,
        () ->
            instances
                .get(instance)
                .enter(Request.of("user", user).withCost(slots), holdNanos, holdNanos, waitNanos));
  }

  /** Requests of an instance that got their slots. */
  long entered(int instance) {
    return instances.get(instance).entered();
  }

  /** The slots that requests held. */
  public SlotOracle slots() {
    return slots;
  }

  /** Requests whose actual cost differs from the reserved one. */
  public record Estimated(long estimate, long leastActual, long mostActual, long longestNanos) {}

  /** Like {@link #load}, with requests that report their actual cost once they have run. */
  public void reservations(
      int instance, String user, double perSecond, Estimated each, long untilNanos) {
    clients.reservations(instance, user, perSecond, each, START + untilNanos);
  }

  /** Like {@link #load}, but only for the first {@code on} of every {@code on + off}. */
  public void bursts(
      int instance, String user, double perSecond, long on, long off, long untilNanos) {
    Request request = Request.of("user", user);
    clients.bursts(instance, request, perSecond, new Clients.Rhythm(on, off), START + untilNanos);
  }

  /** One more instance, whose requests wait in a queue; its number. */
  public int queue(String user) {
    int number = instances.size();
    queues.put(number, new SimulatedQueue(user));
    instances.add(started(number, number));
    return number;
  }

  /** Adds waiting requests to the queue. */
  public void defer(int queue, long requests, long atNanos) {
    time.at(START + atNanos, () -> Objects.requireNonNull(queues.get(queue)).arrive(requests));
  }

  /**
   * Events of requests that no instance decided, delivered to the enforcer {@code lateNanos} later.
   */
  void events(String user, long permits, long atNanos, long lateNanos) {
    time.at(
        START + atNanos + lateNanos,
        () -> {
          QuotaKey key = QuotaKey.of(rule.id(), List.of(user));
          enforcer.count(combiner.report(key, rule, permits, START + atNanos));
        });
  }

  /** Permits of all request events. */
  long eventPermits() {
    return combiner.permits();
  }

  /** Whether a key known only from events was counted in the windows of its events. */
  boolean isCountedAsTold(String user) {
    QuotaKey key = QuotaKey.of(rule.id(), List.of(user));
    return enforcer.countedByWindow(key).equals(combiner.told(key));
  }

  /** Stops an instance at once; its unreported use is lost. */
  public void crash(int instance, long atNanos) {
    mishaps.crash(instance, START + atNanos);
  }

  /** The instance stops at once, and starts again with a new epoch. */
  public void restart(int instance, long atNanos) {
    time.at(
        START + atNanos,
        () -> {
          hit(Fault.INSTANCE_CRASH);
          SimulatedInstance before = instances.get(instance);
          before.crash();
          past.add(before);
          instances.set(instance, started(instance, MAX_INSTANCES + past.size()));
        });
  }

  /** Halts an instance, some of its threads between reading the clock and deciding. */
  public void pause(int instance, String user, long atNanos, long forNanos) {
    mishaps.pause(instance, user, START + atNanos, forNanos);
  }

  /**
   * Undoes the enforcer's uncommitted work and lets another enforcer take over.
   *
   * @param zombieNanos how long the old one goes on nevertheless
   * @param clockErrorNanos how far the successor's clock is ahead
   */
  public void crashEnforcer(long atNanos, long downNanos, long zombieNanos, long clockErrorNanos) {
    mishaps.crashEnforcer(START + atNanos, downNanos, zombieNanos, clockErrorNanos);
  }

  /**
   * The enforcer ends as planned; another one takes over.
   *
   * @param retiringNanos from its last answer to its last commit
   * @param clockErrorNanos by how much the clock of the other one is ahead
   */
  public void handOver(long atNanos, long retiringNanos, long downNanos, long clockErrorNanos) {
    mishaps.handOver(START + atNanos, retiringNanos, downNanos, clockErrorNanos);
  }

  /** Drops everything that the instance sends, or everything sent to it. */
  public void cut(int instance, boolean sending, boolean receiving, long atNanos, long forNanos) {
    mishaps.cut(instance, sending, receiving, START + atNanos, forNanos);
  }

  /** The enforcer's wall clock jumps. */
  public void stepEnforcerClock(long byNanos, long atNanos) {
    mishaps.stepEnforcerClock(byNanos, START + atNanos);
  }

  /** Adds an instance, which serves requests of its own. */
  public void join(String user, double perSecond, long atNanos, long untilNanos) {
    time.at(
        START + atNanos,
        () -> {
          hit(Fault.INSTANCE_JOINS);
          instances.add(started(instances.size(), instances.size()));
          load(instances.size() - 1, user, perSecond, untilNanos);
        });
  }

  /** The instance closes in order. */
  public void leave(int instance, long atNanos) {
    mishaps.leave(instance, START + atNanos);
  }

  /** Faults that hit while permits were out. */
  public FaultCounts faults() {
    return faults;
  }

  /** A change of the rule reaches the enforcer and each instance at its own time. */
  public void change(Rule newer, long atNanos, long withinNanos) {
    change(newer, atNanos, withinNanos, -1, 0);
  }

  /**
   * As above, but that one instance hears of it later.
   *
   * @param late number of the instance
   */
  void change(Rule newer, long atNanos, long withinNanos, int late, long lateNanos) {
    time.at(
        START + atNanos,
        () -> {
          hit(Fault.RULE_CHANGE);
          long published = time.now();
          rule = newer;
          time.at(published + random.nextLong(withinNanos), () -> enforcer.apply(rules(newer)));
          for (int i = 0; i < instances.size(); i++) {
            SimulatedInstance instance = instances.get(i);
            long later = i == late ? lateNanos : 0;
            time.at(published + random.nextLong(withinNanos) + later, () -> instance.apply(newer));
          }
        });
  }

  /** Data gives every quota key of the rule another limit, of which instances know nothing. */
  void entitle(long permits, long atNanos) {
    time.at(
        START + atNanos,
        () -> enforcer.entitle(rules(rule.withLimit(rule.limit().withPermits(permits)))));
  }

  /** The penalty of a key, as it is committed. */
  PenaltyState penalty(QuotaKey key) {
    return enforcer.penalty(key);
  }

  public void run(long untilNanos) {
    time.runUntil(START + untilNanos);
  }

  /** Stops every instance in order and delivers messages under way, and repeated ones. */
  public void settle() {
    instances.stream().filter(SimulatedInstance::isServing).forEach(SimulatedInstance::close);
    run(time.now() - START + 15_000 * MILLI);
    for (int i = 0; i < REPEATS && !isSettled(); i++) {
      run(time.now() - START + LONGEST_PAUSE);
    }
  }

  public boolean isSettled() {
    return instances.stream().allMatch(instance -> !instance.isAlive() || instance.isSettled());
  }

  /** The clock by which an admission's permits were counted, when its own clock was read. */
  ClockAudit.Shown ledgerClock(Admission admission) {
    return enforcer.clocks().shown(admission.key(), admission.generation(), admission.atNanos());
  }

  /** The forbidden behaviour of a ledger's clock, or of a lease; empty if there was none. */
  String timeViolation() {
    String ofClocks = enforcer.clocks().violation();
    return ofClocks.isEmpty() ? leases.violation() : ofClocks;
  }

  /** The rules in force beside this state of the one that may change. */
  RuleSet rules(Rule state) {
    List<Rule> all = new ArrayList<>(others);
    all.add(state);
    return RuleSet.of(all);
  }

  void admitted(Admission admission) {
    admissions.add(admission);
    leases.admitted(admission);
  }

  /** Whether instances have parts of a limit for themselves where demand is steady. */
  boolean letsShares() {
    return conditions.shareTermNanos() > 0;
  }

  void riddenOut(long permits) {
    shares.riddenOut(permits);
  }

  /** The fate of the limit's shares. */
  public ShareCounts shares() {
    return shares.counts();
  }

  /** The audit of permits kept at rest that nobody asked for. */
  RestAudit rests() {
    return enforcer.rests();
  }

  void reported(UsageReport report) {
    leases.reported(report);
  }

  public long counted() {
    return enforcer.counted();
  }

  /** The most permits counted as used in any window. */
  public long mostCountedInAWindow() {
    return enforcer.mostCountedInAWindow();
  }

  /** Permits that instances which have closed owed and never paid. */
  public long unpaid() {
    return instances.stream().mapToLong(SimulatedInstance::takeUnpaid).sum();
  }

  public long now() {
    return time.now();
  }

  private SimulatedInstance started(int index, long epoch) {
    long wallError =
        conditions.wallErrorNanos() == 0
            ? 0
            : random.nextLong(-conditions.wallErrorNanos(), conditions.wallErrorNanos());
    if (wallError != 0) {
      // None of its own permits are out yet: whether the fault hits shows only later.
      faults.add(Fault.CLOCK_SKEW);
    }
    SimulatedQueue queue = queues.get(index);
    SimulatedInstance[] self = new SimulatedInstance[1];
    self[0] =
        new SimulatedInstance(
            queue == null ? "instance-" + index : SimulatedQueue.NAME,
            epoch,
            random.nextLong(1L << 40),
            wallError,
            rule,
            queue,
            this,
            time,
            conditions.settings(),
            report -> toEnforcer(report, self[0]),
            () -> hit(Fault.EVICTION));
    self[0].start();
    return self[0];
  }

  void replayed(Admission admission) {
    replayed += admission.cost();
  }

  private void hit(Fault fault) {
    mishaps.hit(fault);
  }

  private void toEnforcer(UsageReport report, SimulatedInstance from) {
    letters.deliver(
        from, true, () -> enforcer.receive(report, snapshot -> toInstance(snapshot, from)));
  }

  /** Asks all instances to give back the permits of a key that they keep at rest. */
  private void recall(QuotaKey key, ExhaustedQuota told) {
    for (SimulatedInstance instance : List.copyOf(instances)) {
      letters.deliver(instance, false, () -> instance.recall(key, told));
    }
  }

  private void toInstance(QuotaSnapshot snapshot, SimulatedInstance to) {
    letters.deliver(to, false, () -> to.receive(snapshot));
  }
}
