package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;
import static io.quotaenforcer.simulation.LoopSimulation.START;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.Spreading;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A run drawn from a seed: a limit, a load, a network, and faults. A calm end follows the trouble,
 * in which everything must work again.
 */
final class Chaos {
  static final long SECOND = 1_000 * MILLI;
  static final int INSTANCES = 4;

  /** Time after the trouble until permits must flow, and the duration of measuring them. */
  private static final long RECOVERY = 5 * SECOND;

  private static final long MEASURED = 3 * SECOND;

  private static final int LEAST_WINDOWS = 22;

  /**
   * Time after a change during which the larger of the two limits is promised: leases, and permits
   * that slide out.
   */
  private static final long CHANGE_SETTLES = 5 * SECOND;

  /** Until a change has reached everybody. */
  private static final long CHANGE_IS_HEARD = 300 * MILLI;

  /** Most by which enforcer time is ahead of true time where no clock steps. */
  private static final long TIME_AHEAD = 400 * MILLI;

  /** Most by which the clock of a successor is wrong, and enforcer time behind true time. */
  private static final long CLOCK_ERROR = 100 * MILLI;

  private final SplittableRandom random;
  final Limit limit;

  /** One in this many seeds has a rule with classes. */
  private static final int CLASSES_EVERY = 5;

  private static final DemandClasses CLASSES =
      new DemandClasses(
          List.of(
              DemandClass.of("users", Map.of()),
              DemandClass.of("jobs", Map.of(LoopSimulation.JOB, new Matcher.Any()))));

  final Rule rule;
  final LoopSimulation simulation;
  private final double load;
  private final boolean bursts;
  private final boolean forgets;
  private final boolean crashes;
  private final boolean slow;
  private final boolean restless;
  private final boolean enforcersAgree;
  private boolean stepped;
  private final long period;
  private final long term;
  private final long end;
  private final StringBuilder story = new StringBuilder();
  private @Nullable Rule changed;
  private long changedAt = Long.MAX_VALUE;
  private long troubleEnds = 4 * SECOND;
  private long askedInTheEnd;
  private final @Nullable ReplayTrouble replays;
  private final @Nullable EventTrouble events;

  /** Whether an instance may be gone, or not be heard of, that has a share. */
  private boolean holdsWithoutUse;

  /**
   * @param crashes whether instances crash too, so that admissions go unreported
   */
  Chaos(long seed, Enforcement enforcement, boolean crashes) {
    random = new SplittableRandom(seed);
    this.crashes = crashes;
    Network network =
        oneOf(
            random,
            new Network(10 * MILLI, 0, 0),
            new Network(10 * MILLI, 0.02, 0.02),
            new Network(40 * MILLI, 0.1, 0.1),
            new Network(150 * MILLI, 0.02, 0.3));
    slow = network.delayNanos() > 100 * MILLI;
    boolean isLong = network.delayNanos() > 10 * MILLI || Math.floorMod(seed, 7) >= 4;
    period = isLong ? SECOND : SECOND / 2;
    Limit drawn = withSmallBurst(limit(), new SplittableRandom(seed + 1));
    limit = Math.floorMod(seed, 3) == 0 ? otherKind(drawn, new SplittableRandom(seed + 2)) : drawn;
    load = oneOf(random, 0.7, 1.5, 4.0);
    bursts = random.nextInt(3) == 0;
    replays = ReplayTrouble.drawn(seed, crashes);
    events = EventTrouble.drawn(seed);
    Rule throttling =
        Rule.of(new RuleId("test", "rule"), List.of("user"), limit)
            .withEnforcement(enforcement)
            .withVersion(1, 1);
    Rule alike = replays == null ? throttling : throttling.withOverLimit(replays.overLimit());
    rule = Math.floorMod(seed, CLASSES_EVERY) == 2 ? alike.withClasses(CLASSES) : alike;
    long commit = oneOf(random, 0L, 20 * MILLI, 100 * MILLI);
    long wallError = oneOf(random, 0L, 300 * MILLI, 5 * SECOND, 3_600 * SECOND);
    forgets = random.nextInt(3) == 0;
    enforcersAgree = Math.floorMod(seed, 11) >= 7;
    boolean lapses = Math.floorMod(seed, 5) == 1 && network.delayNanos() <= 10 * MILLI;
    long lease = lapses ? period / 4 : 2 * SECOND;
    term = ShareTrouble.term(seed, lease);
    BookSettings settings = settings(lease, forgets, Math.floorMod(seed, 2) == 0);
    simulation =
        new LoopSimulation(
            rule,
            INSTANCES,
            new Conditions(network, settings, commit, wallError, enforcersAgree)
                .withShareTerm(term),
            seed);
    story.append("%s x %.1f %s commit %d ms".formatted(limit, load, network, commit / MILLI));
    story.append(bursts ? ", bursts" : "").append(forgets ? ", forgets keys" : "");
    story.append(enforcersAgree ? ", clocks of enforcers agree" : "");
    story.append(lapses ? ", leases of %d ms".formatted(lease / MILLI) : "");
    story.append(", shares for %d ms".formatted(term / MILLI));
    trouble();
    restless = Math.floorMod(seed, 5) == 2;
    if (restless) {
      crashOften(new SplittableRandom(~seed));
    }
    if (Math.floorMod(seed, 5) == 3) {
      handOverOften(new SplittableRandom(~seed));
    }
    if (replays != null) {
      story.append(replays);
    }
    if (events != null) {
      story.append(events);
    }
    ShareTrouble shares = ShareTrouble.drawn(seed, term, crashes);
    if (shares != null) {
      troubleEnds = Math.max(troubleEnds, shares.befall(simulation, INSTANCES, changedAt));
      holdsWithoutUse = true;
      story.append(shares);
    }
    long recovery = RECOVERY + (holdsWithoutUse ? term : 0);
    end = Math.max(troubleEnds + recovery + MEASURED, LEAST_WINDOWS * period);
  }

  /** Runs to the calm end. */
  void run() {
    for (int i = 0; i < INSTANCES; i++) {
      double rate = demandPerSecond() * (i == 0 ? 2.0 : 1.0) / (INSTANCES + 1);
      if (bursts) {
        simulation.bursts(i, "42", rate, 400 * MILLI, (300 + 250L * i) * MILLI, end);
      } else {
        simulation.load(i, "42", rate, end);
      }
    }
    if (replays != null) {
      replays.befall(simulation, limit, troubleEnds);
    }
    if (events != null) {
      events.befall(simulation, limit, troubleEnds);
    }
    simulation.run(end - MEASURED);
    long askedBefore = simulation.requested;
    simulation.run(end);
    askedInTheEnd = simulation.requested - askedBefore;
  }

  /** The limit promised to an admission at a time, or to a window that begins then. */
  Limit promised(long generation, long nanos) {
    Rule newer = changed;
    if (newer == null) {
      return limit;
    }
    if (newer.generation() != rule.generation()) {
      return generation == rule.generation() ? limit : newer.limit();
    }
    // The first permits of a window are granted half a window before it at the earliest.
    long settles =
        limit instanceof WindowedLimit ? CHANGE_IS_HEARD + TIME_AHEAD + period / 2 : CHANGE_SETTLES;
    // Who hears nothing goes on with its share to the end of the term.
    boolean settled = nanos >= START + changedAt + settles + term;
    boolean larger = newer.limit().permits() > limit.permits();
    boolean before = nanos < START + changedAt - limit.periodNanos() - CLOCK_ERROR;
    return before || (!settled && !larger) ? limit : newer.limit();
  }

  /**
   * Permits admitted in the calm end, as a part of those that the limit allows, or that were asked
   * for: few requests that come by chance may be far fewer than their rate says.
   */
  double usedInTheEnd() {
    return askedInTheEnd == 0 ? 1 : admittedInTheEnd() / allowedInTheEnd();
  }

  /** Whether as much as {@link #leastUsed} was used in the calm end, in whole permits. */
  boolean servesInTheEnd() {
    return admittedInTheEnd() >= Math.floor(leastUsed() * allowedInTheEnd());
  }

  private long admittedInTheEnd() {
    long from = START + end - MEASURED;
    return simulation.admissions.stream()
        .filter(admission -> admission.atNanos() >= from)
        .mapToLong(Admission::cost)
        .sum();
  }

  private double allowedInTheEnd() {
    Limit last = lastLimit();
    // Everything that reaches a bucket at once may not fit.
    long perPeriod =
        last instanceof IntervalBucket ? Math.min(last.permits(), last.capacity()) : last.permits();
    return Math.min(perPeriod * (double) MEASURED / last.periodNanos(), askedInTheEnd);
  }

  /** The largest limit of a generation. */
  Limit mostOpened(long generation) {
    Rule newer = changed;
    if (newer == null || generation != newer.generation()) {
      return limit;
    }
    boolean larger =
        newer.generation() != rule.generation() || newer.limit().permits() > limit.permits();
    return larger ? newer.limit() : limit;
  }

  /** The limit in force in the end. */
  Limit lastLimit() {
    return changed == null ? limit : changed.limit();
  }

  /** The least that must be used in the calm end. */
  double leastUsed() {
    // Where one permit per instance is a large part of the limit, much is held where it is not
    // needed.
    double least = limit.permits() <= 10 ? 0.2 : limit.permits() <= 40 ? 0.5 : 0.7;
    if (limit.countsThrottled()) {
      // A key in higher demand than its limit, whose throttled requests are retried, stays
      // overloaded.
      return 0;
    }
    if (limit.capacity() < limit.permits()) {
      // A few permits that move around, or wait in shares with random requests.
      least = Math.min(Math.min(least, 0.5), 0.06 * lastLimit().capacity());
    }
    if (replays != null && limit.capacity() < limit.permits()) {
      // Beside live instances a queue only leases, and leases carry the capacity once in a loop;
      // one
      // permit goes round by chance.
      least = limit.capacity() == 1 ? 0 : least / 3;
    }
    if (limit instanceof SlidingLog) {
      // Late reports leave the sliding window late.
      least *= 0.75;
    }
    // A loop takes a third of a window and more.
    return isSlow() ? 0.7 * least : least;
  }

  private double demandPerSecond() {
    return limit.permits() * load * SECOND / period;
  }

  /**
   * Whether keys never go idle, so that a strict rule always holds permits when requests come, and
   * time did not stand still repeatedly.
   */
  boolean isSteady() {
    return !bursts && !forgets && !restless;
  }

  /** Whether borders are promised to lie where true time has them, regardless of takeovers. */
  boolean hasBordersOfTrueTime() {
    return enforcersAgree && !stepped;
  }

  /**
   * Whether events are counted in their own windows, for a key known only from events. A change of
   * rule or of time also changes which window that is.
   */
  boolean countsEventsAsTold() {
    return changed != null || stepped || simulation.isCountedAsTold(EventTrouble.UNDECIDED);
  }

  /** Whether a loop is long even when nothing goes wrong. */
  boolean isSlow() {
    return slow;
  }

  @Override
  public String toString() {
    return story.toString();
  }

  private Limit limit() {
    long permits = oneOf(random, 10L, 40L, 120L);
    return oneOf(
        random,
        new FixedWindow(permits, period),
        new SlidingWindow(permits, period),
        new TokenBucket(permits, period, permits));
  }

  /**
   * Half of the buckets hold so little that most of their rate reaches instances only as rate
   * shares.
   */
  private static Limit withSmallBurst(Limit limit, SplittableRandom random) {
    long part = oneOf(random, 1L, 1L, 10L, 25L);
    return limit instanceof TokenBucket
        ? new TokenBucket(limit.permits(), limit.periodNanos(), Math.max(1, limit.permits() / part))
        : limit;
  }

  /** A less common kind of limit with the same number of permits. */
  private static Limit otherKind(Limit limit, SplittableRandom random) {
    long permits = limit.permits();
    long period = limit.periodNanos();
    long burst = oneOf(random, permits, permits, permits / 2, 2 * permits);
    return switch (random.nextInt(5)) {
      case 0 -> new SlidingSubWindows(permits, period, oneOf(random, 2, 5, 10));
      case 1 -> new SlidingLog(permits, period, random.nextInt(4) == 0);
      case 2 -> new IntervalBucket(permits, period, burst, oneOf(random, burst, 0L));
      case 3 -> new WarmUpBucket(permits, period, burst, burst, 2 * SECOND);
      default -> LeakyBucket.of(permits, period, limit.capacity() - 1);
    };
  }

  /**
   * Settings of an instance's book. A forgetful instance lets keys go idle, and drops them, in the
   * pauses of a bursty load.
   *
   * @param spreads whether permits are spread over cells, as if many threads asked for them
   */
  private static BookSettings settings(long lease, boolean forgets, boolean spreads) {
    BookSettings usual =
        BookSettings.defaults().with(spreads ? new Spreading(4, 0, 1) : Spreading.NONE);
    BookSettings.Holding holding = usual.holding().withTtl(lease);
    return forgets
        ? usual.with(holding.withIdle(150 * MILLI, 250 * MILLI)).withMaxKeys(1_000)
        : usual.with(holding);
  }

  private void trouble() {
    for (int i = random.nextInt(3); i > 0; i--) {
      long down = 50 * MILLI + random.nextLong(2 * SECOND);
      long at = tell("enforcer crashes", down);
      long zombie = oneOf(random, 0L, 0L, down + random.nextLong(3 * SECOND));
      long clockError = oneOf(random, 0L, CLOCK_ERROR, -CLOCK_ERROR);
      simulation.crashEnforcer(at, down, zombie, clockError);
      story.append(" (zombie %d ms)".formatted(zombie / MILLI));
    }
    for (int i = random.nextInt(2); i > 0; i--) {
      long pause = oneOf(random, 300 * MILLI, SECOND, 3 * SECOND, 3 * SECOND, longest());
      int instance = random.nextInt(INSTANCES);
      long at = tell("instance " + instance + " pauses", pause);
      holdsWithoutUse = true;
      simulation.pause(instance, "42", at, pause);
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      long cut = oneOf(random, 100 * MILLI, SECOND, 3 * SECOND, 3 * SECOND, longest());
      int instance = random.nextInt(INSTANCES);
      int way = random.nextInt(3);
      long at = tell("instance " + instance + " cut off, way " + way, cut);
      simulation.cut(instance, way != 1, way != 0, at, cut);
      holdsWithoutUse = true;
    }
    for (int i = crashes ? random.nextInt(3) : 0; i > 0; i--) {
      int instance = random.nextInt(INSTANCES);
      simulation.restart(instance, tell("instance " + instance + " restarts", 0));
      holdsWithoutUse = true;
    }
    fleet();
    switch (random.nextInt(4)) {
      case 0, 1 -> change(random.nextBoolean() ? otherLimit() : otherGeneration());
      case 2 -> stepClock();
      default -> {}
    }
  }

  /** Successor after successor dies young, and is soon replaced. */
  private void crashOften(SplittableRandom moments) {
    story.append("; the enforcer crashes often");
    for (long at = SECOND; at < troubleEnds; at += 50 * MILLI + moments.nextLong(300 * MILLI)) {
      simulation.crashEnforcer(at, 1 + moments.nextLong(20 * MILLI), 0, 0);
    }
  }

  /** Turn after turn ends as planned, or now and then does not. */
  private void handOverOften(SplittableRandom moments) {
    story.append("; the enforcer is replaced often");
    for (long at = SECOND; at < troubleEnds; at += 50 * MILLI + moments.nextLong(SECOND)) {
      long down = moments.nextLong(200 * MILLI);
      long clockError = (moments.nextInt(3) - 1) * CLOCK_ERROR;
      if (moments.nextInt(4) == 0) {
        simulation.crashEnforcer(at, down, 0, clockError);
      } else {
        simulation.handOver(at, moments.nextLong(50 * MILLI), down, clockError);
      }
    }
  }

  /** One long duration in ten is very long. */
  private long longest() {
    return random.nextInt(10) == 0 ? 30 * SECOND : 5 * SECOND;
  }

  private void fleet() {
    if (random.nextInt(3) == 0) {
      long at = tell("an instance joins", 0);
      simulation.join("42", demandPerSecond() / (INSTANCES + 1), at, 120 * SECOND);
    }
    if (random.nextInt(3) == 0) {
      int instance = random.nextInt(INSTANCES);
      holdsWithoutUse = true;
      simulation.leave(instance, tell("instance " + instance + " leaves", 0));
    }
  }

  private void change(Rule newer) {
    changed = newer;
    changedAt = tell("becomes " + newer.limit(), CHANGE_IS_HEARD);
    simulation.change(newer, changedAt, CHANGE_IS_HEARD);
  }

  /**
   * Forwards only where permits carry their window: the others renew by the enforcer's time, which
   * must not run ahead.
   */
  private void stepClock() {
    long drawn = 1 + random.nextLong(5 * SECOND);
    boolean ofWindows = limit instanceof WindowedLimit;
    boolean ahead = ofWindows && random.nextBoolean();
    // Instances that go on with shares would be several windows ahead of the enforcer.
    long by = ofWindows && !ahead && term > 0 ? Math.min(drawn, period) : drawn;
    // Until the time before the step is reached again, nothing renews.
    long at = tell("clock steps by %d ms".formatted((ahead ? by : -by) / MILLI), ahead ? 0 : by);
    simulation.stepEnforcerClock(ahead ? by : -by, at);
    stepped = true;
  }

  private Rule otherLimit() {
    long permits = limit.permits() * oneOf(random, 1, 3, 4) / 2;
    return rule.withLimit(limit.withPermits(permits)).withVersion(2, 1);
  }

  private Rule otherGeneration() {
    long permits = limit.permits();
    Limit other =
        oneOf(
            random,
            new FixedWindow(permits, period / 2),
            new SlidingWindow(permits, 2 * period),
            new TokenBucket(permits, period / 2, permits));
    return rule.withLimit(other).withVersion(2, 2);
  }

  /** Draws when it happens. */
  private long tell(String what, long nanos) {
    long at = SECOND + random.nextLong(3 * SECOND);
    troubleEnds = Math.max(troubleEnds, at + nanos);
    story.append("; %s at %d ms for %d ms".formatted(what, at / MILLI, nanos / MILLI));
    return at;
  }

  @SafeVarargs
  private static <T> T oneOf(SplittableRandom random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
