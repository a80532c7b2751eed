package io.quotaenforcer.simulation;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One epoch of an instance: a real book and a monotonic clock of its own. */
final class SimulatedInstance {
  private final String name;
  private final long epoch;
  private final long clockOffset;
  private final Timeline time;
  private final BookSettings settings;
  private final Consumer<UsageReport> send;
  private final Runnable evicted;
  private final AllotmentBook book;
  private final SimulatedPassages passages;
  private final @Nullable SimulatedQueue queue;
  private final LoopSimulation simulation;
  private Rule rule;
  private boolean alive = true;
  private boolean closing;
  private long entered;
  private long pausedUntil;
  private long muteUntil;
  private long deafUntil;
  private long newestSent;
  private long newestReceived;
  private int keys;
  private long heard;

  /**
   * @param wallErrorNanos by how much the wall clock was wrong when the instance started
   * @param queue requests that it runs as permits come; null for an instance that serves live ones
   */
  SimulatedInstance(
      String name,
      long epoch,
      long clockOffset,
      long wallErrorNanos,
      Rule rule,
      @Nullable SimulatedQueue queue,
      LoopSimulation simulation,
      Timeline time,
      BookSettings settings,
      Consumer<UsageReport> send,
      Runnable evicted) {
    this.name = name;
    this.epoch = epoch;
    this.clockOffset = clockOffset;
    this.time = time;
    this.settings = settings;
    this.send = send;
    this.evicted = evicted;
    this.rule = rule;
    this.queue = queue;
    this.simulation = simulation;
    book = new AllotmentBook(settings, LoopSimulation.MAX_INSTANCES, clockOffset + wallErrorNanos);
    passages = new SimulatedPassages(book, this::clock, time);
  }

  void start() {
    book.applyPrefix(
        new PrefixInfo(1, QuotaKey.HASH_VERSION, LoopSimulation.MAX_INSTANCES), clock());
    book.applyRules(rules(), clock());
    tick();
  }

  boolean isAlive() {
    return alive;
  }

  void crash() {
    alive = false;
  }

  /** Cuts it off from the enforcer, one way or both. */
  void cut(boolean sending, boolean receiving, long nanos) {
    muteUntil = sending ? Math.max(muteUntil, time.now() + nanos) : muteUntil;
    deafUntil = receiving ? Math.max(deafUntil, time.now() + nanos) : deafUntil;
  }

  boolean isCut(boolean sending) {
    return time.now() < (sending ? muteUntil : deafUntil);
  }

  /** Whether a message with this arrival overtakes an earlier one. */
  boolean overtakes(boolean sending, long arrival) {
    long newest = sending ? newestSent : newestReceived;
    newestSent = sending ? Math.max(newest, arrival) : newestSent;
    newestReceived = sending ? newestReceived : Math.max(newest, arrival);
    return arrival < newest;
  }

  boolean isServing() {
    return alive && !closing;
  }

  /** Nothing runs for this long: no request, no report, no answer is read. */
  void pause(long nanos) {
    pausedUntil = Math.max(pausedUntil, time.now() + nanos);
  }

  /** A thread reads the clock, and decides only after the pause. */
  void decideAcrossThePause(Request request, long later) {
    long read = clock();
    time.at(
        pausedUntil + later,
        () -> {
          if (queue == null) {
            decide(request, read);
          } else {
            drain(read);
          }
        });
  }

  void request(Request request) {
    if (time.now() >= pausedUntil) {
      decide(request, clock());
    }
  }

  /** Runs a request for {@code forNanos}; its actual cost is known only at the end. */
  void reserve(Request estimated, long actual, long forNanos) {
    if (time.now() < pausedUntil || !isServing()) {
      return;
    }
    Charge charge = book.charge(estimated, clock());
    simulation.requested += actual;
    if (charge.decision().admitted()) {
      simulation.actual += actual;
      simulation.refunded += Math.max(0, estimated.cost() - actual);
      time.at(time.now() + forNanos, () -> whenAwake(() -> charge.settle(actual, clock())));
    }
  }

  /** Requests that got their slots. */
  long entered() {
    return entered;
  }

  /**
   * A request that holds slots for {@code holdNanos} once it has them.
   *
   * @param mostNanos of which it counts for the oracle
   */
  void enter(Request request, long holdNanos, long mostNanos, long waitNanos) {
    if (time.now() < pausedUntil || !isServing()) {
      return;
    }
    passages.enter(
        request,
        waitNanos,
        charge -> {
          entered++;
          SlotOracle slots = simulation.slots();
          slots.begins(request.cost(), time.now());
          boolean[] ended = {false};
          Runnable ends =
              () -> {
                if (!ended[0]) {
                  ended[0] = true;
                  slots.ends(request.cost(), time.now());
                }
              };
          long end = time.now() + holdNanos;
          time.at(
              Math.min(end, time.now() + mostNanos),
              () -> endsUnlessHeldOn(ends, holdNanos <= mostNanos));
          time.at(
              end,
              () ->
                  whenAwake(
                      () -> {
                        charge.settle(request.cost(), clock());
                        ends.run();
                      }));
        });
  }

  /** At a living instance, a request that is held for longer still counts. */
  private void endsUnlessHeldOn(Runnable ends, boolean isInTime) {
    if (isInTime ? (!alive || time.now() < pausedUntil) : !isHeard()) {
      ends.run();
    }
  }

  private boolean isHeard() {
    return alive && time.now() >= pausedUntil && !isCut(true) && !isCut(false);
  }

  /** Permits that it owed and never paid. */
  long takeUnpaid() {
    return book.takeUnpaid();
  }

  void apply(Rule newer) {
    whenAwake(
        () -> {
          rule = newer;
          book.applyRules(rules(), clock());
        });
  }

  void receive(QuotaSnapshot snapshot) {
    whenAwake(
        () -> {
          heard = time.now();
          book.applySnapshot(snapshot, clock());
          drain(clock());
          passages.tryAll();
        });
  }

  /** Others need what it keeps and nobody asks for. */
  void recall(QuotaKey key, ExhaustedQuota told) {
    whenAwake(() -> book.applyExhausted(key, told, clock()));
  }

  void close() {
    whenAwake(
        () -> {
          closing = true;
          keys = 0;
          send(book.close(clock()));
        });
  }

  boolean isSettled() {
    return book.isSettled();
  }

  private void decide(Request request, long clock) {
    if (!alive || closing) {
      return;
    }
    Decision decision = book.decide(request, clock);
    RuleDecision by = decision.rule().orElseThrow();
    simulation.requested += request.cost();
    simulation.decided(by.demandClass(), request.cost(), decision.admitted());
    if (decision.admitted()) {
      for (RuleDecision each : decision.rules()) {
        admit(each.quotaKey(), request.cost(), each.windowStartNanos(), each.source(), clock);
      }
    } else {
      simulation.throttled += request.cost();
    }
  }

  /** Runs the replays in its queue for which it has permits. */
  private void drain(long clock) {
    SimulatedQueue mine = queue;
    if (mine != null && alive && !closing) {
      mine.drain(
          book,
          rule,
          clock,
          window ->
              simulation.replayed(
                  admit(mine.quotaKey(rule), 1, window, PermitSource.GRANTED, clock)));
    }
  }

  private Admission admit(QuotaKey key, long cost, long window, PermitSource source, long clock) {
    Admission admission =
        new Admission(
            clock + clockOffset, time.now(), key, cost, window, rule.generation(), epoch, source);
    simulation.admitted(admission);
    if (admission.isGranted() && time.now() - heard > settings.ttlNanos()) {
      simulation.riddenOut(cost);
    }
    return admission;
  }

  /** The owner of a queue spends only what it was granted. */
  private RuleSet rules() {
    RuleSet rules = simulation.rules(rule);
    return queue == null ? rules : rules.withEnforcement(Enforcement.STRICT);
  }

  private void whenAwake(Runnable step) {
    if (time.now() < pausedUntil) {
      time.at(pausedUntil, () -> whenAwake(step));
    } else if (alive) {
      step.run();
    }
  }

  private void tick() {
    whenAwake(
        () -> {
          drain(clock());
          if (!isCut(false)) {
            book.rulesHeard(clock());
          }
          send(book.reports(clock()));
          int known = book.size() + book.remembered();
          if (known < keys) {
            evicted.run();
          }
          keys = known;
          time.at(time.now() + settings.urgentIntervalNanos(), this::tick);
        });
  }

  private void send(List<PartitionReport> reports) {
    for (PartitionReport report : reports) {
      UsageReport sent =
          new UsageReport(name, epoch, clock(), report.loopNanos(), 0, report.quotas());
      simulation.reported(sent);
      send.accept(sent);
    }
  }

  private long clock() {
    return time.now() - clockOffset;
  }
}
