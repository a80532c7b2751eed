package io.quotaenforcer.client;

import io.quotaenforcer.client.kafka.BackgroundLoops;
import io.quotaenforcer.client.kafka.EnforcerListener;
import io.quotaenforcer.client.kafka.HandOver;
import io.quotaenforcer.client.kafka.KafkaPresence;
import io.quotaenforcer.client.kafka.PendingDecisions;
import io.quotaenforcer.client.kafka.WaitTimer;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.GuardedTelemetry;
import io.quotaenforcer.client.spi.ReplayHandler;
import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.KeyPermits;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.rules.RuleFeed;
import io.quotaenforcer.schemas.topic.Identity;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides requests in this process, by permits that the enforcer has granted to it.
 *
 * <p>A decision reads and changes memory only: it never waits for Kafka or for the enforcer. When
 * they are away, each rule decides as its {@code on-unavailable} says. Safe for use by any number
 * of threads; one client per process and set of domains is enough.
 */
public final class AdmissionClient implements Admission {
  private static final Logger log = LoggerFactory.getLogger(AdmissionClient.class);

  private final AdmissionConfig config;
  private final Identity identity;
  private final AllotmentBook book;
  private final HandOver handOver;
  private final PendingDecisions pending;
  private final WaitTimer waitTimer;
  private final BackgroundLoops loops;
  private final DeferralService deferral;
  private final LongSupplier clock;
  private final CoarseClock coarseClock;
  private final LongSupplier clockOfBalanced;
  private final ClientTelemetry telemetry;
  private final boolean hearsDecisions;
  private final GivenUpMatches givenUp;
  private final LifeLog life;
  private final KafkaPresence presence;
  private final @Nullable RequestEventEmitter events;
  private final @Nullable RulesCache rulesCache;
  private final Optional<RulesFile.Content> ofLastTime;

  /** A client that knows no rules and reports nothing until it is {@linkplain #start started}. */
  AdmissionClient(AdmissionConfig config, Clocks clocks, ClientTelemetry telemetry) {
    this.config = config;
    this.clock = clocks.monotonicNanos();
    SecureRandom random = new SecureRandom();
    this.identity = new Identity(config.instance(), random.nextLong());
    long wallOffset = clocks.epochNanos().getAsLong() - clock.getAsLong();
    Optional<RulesFile> file = config.rulesFile();
    this.rulesCache = file.map(each -> new RulesCache(each, identity.instance())).orElse(null);
    this.ofLastTime = file.flatMap(RulesFile::read);
    this.coarseClock = new CoarseClock(clock, identity.instance());
    // A tick of a clock that runs faster is too long.
    this.clockOfBalanced = clocks.equals(Clocks.system()) ? coarseClock : clock;
    this.book =
        new AllotmentBook(
            config.bookSettings(),
            ofLastTime
                .map(RulesFile.Content::maxInstances)
                .filter(known -> known > 0)
                .orElse(config.maxInstances()),
            wallOffset,
            random.nextLong());
    book.beforeRules(new Decision.NotReady(config.beforeRules() == BeforeRules.ADMIT));
    ofLastTime.ifPresent(this::decideBy);
    ClientTelemetry guarded = new GuardedTelemetry(telemetry);
    this.telemetry = guarded;
    this.givenUp = new GivenUpMatches(book::takeGivenUp, guarded);
    this.hearsDecisions = telemetry != ClientTelemetry.NONE;
    this.life = new LifeLog(identity.instance(), clock.getAsLong());
    this.presence = KafkaPresence.of(config.consumerProperties());
    this.handOver = new HandOver(identity.instance());
    this.pending =
        new PendingDecisions(
            book,
            clock,
            handOver,
            new PendingDecisions.Limits(config.maxWaiting(), guarded::notWaited),
            presence::isAway);
    this.waitTimer = new WaitTimer(pending, handOver, clock, identity.instance());
    this.deferral = new DeferralService(config, identity, book, pending, clocks, guarded, presence);
    this.loops =
        new BackgroundLoops(
            identity,
            book,
            config.wire(),
            config.producerProperties(),
            config.consumerProperties(),
            clocks,
            guarded,
            new RuleFeed(
                config::wantsDomain,
                ofLastTime.map(RulesFile.Content::rules).orElseGet(RuleSet::empty)),
            new Listener(),
            presence);
    this.events =
        config.requestEvents() == RequestEvents.NONE
            ? null
            : new RequestEventEmitter(config, clocks, presence);
  }

  private void decideBy(RulesFile.Content lastTime) {
    book.applyRules(lastTime.rules(), clock.getAsLong());
    log.info(
        "{} rules as of {} are in force until those of now are read",
        lastTime.rules().rules().size(),
        lastTime.asOf());
  }

  /** Begins to report and to hear from the enforcer. To be called once. */
  void start() {
    life.started(config);
    loops.start();
  }

  /** What it decides by. */
  AllotmentBook book() {
    return book;
  }

  /**
   * Starts a client. Does not wait for Kafka.
   *
   * @param properties see the settings reference; at least {@code bootstrap.servers}
   * @throws IllegalArgumentException that names every property that is unknown or has a bad value
   */
  public static AdmissionClient create(Map<String, ?> properties) {
    return builder().properties(properties).build();
  }

  /** A builder with the defaults of the settings reference. */
  public static AdmissionClientBuilder builder() {
    return new AdmissionClientBuilder();
  }

  /**
   * Rules decided in this process alone, exactly and without Kafka: for a service of one instance,
   * and for tests.
   *
   * @param clocks {@link Clocks#system}, or those of a {@link
   *     io.quotaenforcer.client.spi.ManualClock}
   */
  public static StandaloneAdmission standalone(Collection<Rule> rules, Clocks clocks) {
    return standalone(rules, clocks, ClientTelemetry.NONE);
  }

  /**
   * As {@link #standalone(Collection, Clocks)}.
   *
   * @param telemetry hears of {@linkplain ClientTelemetry#matchGivenUp matches that were given up}
   */
  public static StandaloneAdmission standalone(
      Collection<Rule> rules, Clocks clocks, ClientTelemetry telemetry) {
    return new StandaloneAdmission(rules, clocks, telemetry);
  }

  @Override
  public Decision decide(Request request) {
    return told(request, book.decide(request, clock.getAsLong()));
  }

  @Override
  public boolean tryAcquire(Request request) {
    boolean admitted = book.tryAcquire(request, clock.getAsLong());
    emit(request, admitted);
    return admitted;
  }

  /** {@inheritDoc} No thread of this client is held up meanwhile. */
  @Override
  public Decision decide(Request request, Duration maxWait) throws InterruptedException {
    CompletableFuture<Decision> future =
        pending.decide(request, nanos(maxWait), HandOver.AT_ONCE, clock.getAsLong());
    return told(request, await(future));
  }

  private static Decision await(CompletableFuture<Decision> future) throws InterruptedException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      if (future.cancel(false)) {
        throw e;
      }
      Thread.currentThread().interrupt();
      return future.join();
    } catch (ExecutionException e) {
      throw new IllegalStateException("must be decided", e);
    }
  }

  /**
   * Decides a request, and where its key was not seen before, or its permits are spent, waits for
   * the enforcer's answer. No thread waits. Where no answer can be hoped for, since the enforcer
   * leaves reports of now unanswered, or as many requests wait as may, it is decided at once.
   *
   * <p>A future that is cancelled, or completed by its owner, takes no permits.
   *
   * @param maxWait after which it is decided by what is known then
   * @param executor completes the future of a request that has waited. If it rejects that, or
   *     throws, the future is completed elsewhere; while it stands still, only its own futures wait
   *     for it
   */
  public CompletableFuture<Decision> decideAsync(
      Request request, Duration maxWait, Executor executor) {
    CompletableFuture<Decision> future =
        pending.decide(request, nanos(maxWait), executor, clock.getAsLong());
    if (events != null || hearsDecisions) {
      future.thenAccept(decision -> told(request, decision));
    }
    return future;
  }

  /**
   * As {@link #decideAsync(Request, Duration, Executor)}, completed as {@link
   * CompletableFuture#supplyAsync(java.util.function.Supplier)} does.
   */
  @Override
  public CompletableFuture<Decision> decideAsync(Request request, Duration maxWait) {
    return decideAsync(request, maxWait, HandOver.ASYNC);
  }

  private static long nanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** Requests that wait for permits at the moment. */
  public int waiting() {
    return pending.waiting();
  }

  /**
   * {@inheritDoc}
   *
   * <p>What is owed is paid from permits that are granted, asks the enforcer for them, and is
   * reported as used when it is paid. Request events carry the estimate. What is owed when this
   * client is closed, and cannot be paid from what it holds, is logged and told to {@link
   * ClientTelemetry#unpaid}.
   */
  @Override
  public ReserveOutcome reserve(Request request, long estimate) {
    Request estimated = request.withCost(estimate);
    Charge charge = book.charge(estimated, clock.getAsLong());
    told(estimated, charge.decision());
    return !charge.decision().admitted()
        ? new ReserveOutcome.NotReserved(charge.decision())
        : new Reservation(charge, actual -> settle(charge, actual));
  }

  /**
   * Hands a throttled request over to the enforcer, which releases it when the first rule in force
   * that matches it and defers has room: then a {@link ReplayHandler} of a service runs it. The
   * request is durable before the enforcer answers. No thread waits; the common pool completes the
   * future.
   *
   * <p>The future fails with a {@link DeferralTimeoutException} if the request is durable but there
   * is no answer within {@code defer.timeout}, and with another {@link DeferralException} if it was
   * not deferred, or may not have been.
   *
   * @throws IllegalArgumentException if no rule in force that defers matches the request, or one
   *     with this id waits for its answer already
   */
  public CompletableFuture<Deferred> defer(Request request, Deferral deferral) {
    return this.deferral.deferrals().defer(request, deferral);
  }

  /**
   * Asks the enforcer not to run a deferred request that still waits: it becomes a dead letter.
   *
   * @param quotaKey that it waits for
   * @return done once this is durable
   */
  public CompletableFuture<Void> cancel(String id, QuotaKey quotaKey) {
    return deferral.deferrals().cancel(id, quotaKey);
  }

  /**
   * Runs the replays of this client's domains, together with the other members of its consumer
   * groups, until the runner or this client is closed. Does not wait for Kafka. What a group has no
   * offset for is handled unless the enforcer says that it is acknowledged.
   */
  public ReplayRunner replays(ReplayHandler handler, ReplayOptions options) {
    return deferral.replays(handler, options);
  }

  @Override
  public QuotaHandle handle(String rule, String... keyValues) {
    if (rules().rules().isEmpty() && readiness() instanceof Readiness.NotYet notYet) {
      throw new IllegalArgumentException(
          "must be a rule that is in force, and none is known yet (%s; see awaitRules): rule=%s"
              .formatted(notYet.why(), rule));
    }
    return QuotaHandle.of(rules(), this::permits, rule, keyValues);
  }

  /**
   * Waits until the rules that were published before the start are in force. Decisions need not
   * wait for it: until then they are {@link Decision.NotReady}, and as {@code before.rules} says.
   *
   * @return false if the time was up first
   */
  public boolean awaitRules(Duration timeout) throws InterruptedException {
    return loops.awaitRules(timeout);
  }

  @Override
  public RuleSet rules() {
    return book.rules();
  }

  @Override
  public boolean isReady() {
    return readiness().isReady();
  }

  /** Whether the rules to decide by are known, and if not, why. */
  public Readiness readiness() {
    SortedMap<String, String> unreadable = loops.unreadable();
    Optional<String> missing = loops.rulesMissing();
    return unreadable.isEmpty()
        ? missing.map(this::withoutRulesOfNow).orElseGet(Readiness.Ready::new)
        : new Readiness.Incomplete(unreadable, missing.isEmpty());
  }

  private Readiness withoutRulesOfNow(String why) {
    return ofLastTime.isPresent()
        ? new Readiness.OfLastTime(ofLastTime.get().asOf(), why)
        : new Readiness.NotYet(why);
  }

  /** Whether the enforcer does not answer for this key at the moment. */
  public boolean isDegraded(QuotaKey key) {
    return book.isAway(key, clock.getAsLong());
  }

  /** Epoch nanoseconds by the clock of the enforcer of this key, as near as they are known. */
  public long enforcerNanos(QuotaKey key, long monotonicNanos) {
    return book.toEnforcerNanos(key, monotonicNanos);
  }

  /** Quota keys that this instance has in use; those at rest are not among them. */
  public int keys() {
    return book.size();
  }

  /** This instance's id. */
  public String instance() {
    return identity.instance();
  }

  /**
   * Finishes the replays that have started, for at most {@code close.timeout} and a second to leave
   * their group; then gives back what is held, and sends what waits to be sent, together for at
   * most {@code close.timeout}. From now on every request is throttled. What the enforcer has not
   * confirmed by then counts as spent.
   */
  @Override
  public void close() {
    deferral.closeReplays();
    long deadline = System.nanoTime() + config.closeTimeout().toNanos();
    if (events != null) {
      events.stop();
    }
    pending.close(clock.getAsLong());
    waitTimer.close();
    handOver.close();
    loops.close(untilThen(deadline));
    if (events != null) {
      events.close(untilThen(deadline));
    }
    deferral.close(untilThen(deadline));
    if (rulesCache != null) {
      rulesCache.close(untilThen(deadline));
    }
    coarseClock.close();
    sayUnpaid();
    life.closed(book.isSettled());
  }

  private static Duration untilThen(long deadlineNanos) {
    return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
  }

  private final class Listener implements EnforcerListener {
    @Override
    public void answered(QuotaSnapshot snapshot) {
      long now = clock.getAsLong();
      pending.answered(snapshot, now);
      life.answered(snapshot, now);
    }

    @Override
    public void answered(DeferralAnswer answer) {
      deferral.answered(answer);
    }

    @Override
    public void rulesApplied(RuleSet rules, int maxInstances) {
      pending.rulesKnown(clock.getAsLong());
      life.rulesApplied(rules);
      if (rulesCache != null) {
        rulesCache.changed(rules, maxInstances, Instant.now());
      }
    }

    @Override
    public void rulesIncomplete() {
      pending.rulesKnown(clock.getAsLong());
    }

    @Override
    public void tick() {
      long now = clock.getAsLong();
      deferral.tick(now);
      givenUp.tick(now);
      life.look(book.partitionsAway(now), presence.isAway(), now);
      if (rulesCache != null && loops.isInTouch()) {
        rulesCache.confirmed(Instant.now());
      }
      sayUnpaid();
    }
  }

  private LongPredicate permits(Rule rule, QuotaKey quotaKey) {
    KeyPermits permits = book.permits(rule, quotaKey);
    return wanted ->
        switch (permits.tryAcquireCoarse(wanted, clockOfBalanced.getAsLong())) {
          case ADMITTED -> true;
          case THROTTLED -> false;
          case NOT_DECIDED -> permits.tryAcquire(wanted, clock.getAsLong());
        };
  }

  private boolean settle(Charge charge, long actual) {
    boolean first = charge.settle(actual, clock.getAsLong());
    sayUnpaid();
    return first;
  }

  private void sayUnpaid() {
    long permits = book.takeUnpaid();
    if (permits > 0) {
      log.warn(
          "{} permits that requests cost more than was reserved for them are never paid: this"
              + " client is closed, or their rule is gone",
          permits);
      telemetry.unpaid(permits);
    }
  }

  private Decision told(Request request, Decision decision) {
    if (hearsDecisions && decision instanceof Decision.Throttled throttled) {
      telemetry.throttled(throttled.decidedBy());
    }
    emit(request, decision.admitted());
    return decision;
  }

  private void emit(Request request, boolean admitted) {
    RequestEventEmitter emitter = events;
    if (emitter == null
        || (config.requestEvents() == RequestEvents.SAMPLED
            && ThreadLocalRandom.current().nextDouble() >= config.sampleRate())) {
      return;
    }
    emitter.emit(request, admitted ? Outcome.ADMITTED : Outcome.THROTTLED, CountedBy.CLIENT);
  }
}
