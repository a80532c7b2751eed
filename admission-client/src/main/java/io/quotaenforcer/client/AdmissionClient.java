package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.config.AdmissionConfig;
import io.quotaenforcer.client.internal.kafka.HandOver;
import io.quotaenforcer.client.internal.kafka.PendingDecisions;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.ReplayHandler;
import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Ending;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Decides requests in this process, with permits that the enforcer has granted to it.
 *
 * <p>A decision reads and changes memory only: it never waits for Kafka or for the enforcer. When
 * they are away, each rule decides as its {@code on-unavailable} says. Safe for use by any number
 * of threads; one client per process and set of domains is enough.
 */
public final class AdmissionClient implements Admission {
  private final ClientParts parts;
  private final AllotmentBook book;
  private final PendingDecisions pending;
  private final ToldDecisions told;
  private final LongSupplier clock;

  /** A client that knows no rules and reports nothing until it is {@linkplain #start started}. */
  AdmissionClient(AdmissionConfig config, Clocks clocks, ClientTelemetry telemetry) {
    this.parts = new ClientParts(config, clocks, telemetry);
    this.book = parts.book();
    this.pending = parts.pending();
    this.told = parts.told();
    this.clock = clocks.monotonicNanos();
  }

  /** Begins to report and to hear from the enforcer. To be called once. */
  void start() {
    parts.start();
  }

  /** The book that it decides by. */
  AllotmentBook book() {
    return book;
  }

  /**
   * Starts a client. Does not wait for Kafka.
   *
   * @param properties see the settings reference; at least {@code bootstrap.servers}
   * @throws IllegalArgumentException naming every property that is unknown or has a bad value
   */
  public static AdmissionClient create(Map<String, ?> properties) {
    return builder().properties(properties).build();
  }

  /** A builder with the defaults of the settings reference. */
  public static AdmissionClientBuilder builder() {
    return new AdmissionClientBuilder();
  }

  /**
   * Decides by rules in this process alone, exactly and without Kafka: for a service of one
   * instance, and for tests.
   *
   * @param clocks {@link Clocks#system}, or those of a {@link
   *     io.quotaenforcer.client.spi.ManualClock}
   */
  public static StandaloneAdmission standalone(Collection<Rule> rules, Clocks clocks) {
    return standalone(rules, clocks, ClientTelemetry.NONE);
  }

  /**
   * Like {@link #standalone(Collection, Clocks)}, with telemetry.
   *
   * @param telemetry hears of {@linkplain ClientTelemetry#matchGivenUp matches that were given up}
   */
  public static StandaloneAdmission standalone(
      Collection<Rule> rules, Clocks clocks, ClientTelemetry telemetry) {
    return standalone(rules, clocks, telemetry, HashKeys.ofProcess(new SecureRandom()));
  }

  /**
   * Like {@link #standalone(Collection, Clocks, ClientTelemetry)}, with keys that others have, so
   * that they can tell which quota key a value has.
   *
   * @param keys that values are hashed by, for rules that say so
   * @throws IllegalArgumentException if there are none, and a rule hashes
   */
  public static StandaloneAdmission standalone(
      Collection<Rule> rules, Clocks clocks, ClientTelemetry telemetry, HashKeys keys) {
    if (keys.isEmpty() && rules.stream().anyMatch(rule -> rule.key().hashes())) {
      throw new IllegalArgumentException("must have a hash key for rules that hash: keys=" + keys);
    }
    return new StandaloneAdmission(rules, clocks, telemetry, keys);
  }

  @Override
  public Decision decide(Request request) {
    return told.tell(request, book.decide(request, clock.getAsLong()));
  }

  @Override
  public boolean tryAcquire(Request request) {
    boolean admitted = book.tryAcquire(request, clock.getAsLong());
    told.emit(request, admitted);
    return admitted;
  }

  /** {@inheritDoc} No thread of this client is held up meanwhile. */
  @Override
  public Decision decide(Request request, Duration maxWait) throws InterruptedException {
    CompletableFuture<Decision> future =
        pending.decide(request, nanos(maxWait), HandOver.AT_ONCE, clock.getAsLong());
    return told.tell(request, Decided.await(future));
  }

  /**
   * Decides a request; if its key was not seen before, or its permits are spent, waits for the
   * enforcer's answer first. No thread waits. A request is decided at once where no answer can be
   * hoped for, because the enforcer leaves current reports unanswered, and where {@code
   * max.waiting} requests wait already.
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
    return told.tell(
        request,
        pending.decide(request, nanos(maxWait), executor, clock.getAsLong()),
        Function.identity());
  }

  /**
   * Like {@link #decideAsync(Request, Duration, Executor)}, completed as {@link
   * CompletableFuture#supplyAsync(java.util.function.Supplier)} does.
   */
  @Override
  public CompletableFuture<Decision> decideAsync(Request request, Duration maxWait) {
    return decideAsync(request, maxWait, HandOver.ASYNC);
  }

  /** A duration of any length. */
  static long nanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** How many requests are waiting for permits at the moment. */
  public int waiting() {
    return pending.waiting();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Permits that are owed are paid from those granted next, which this client asks the enforcer
   * for, and are reported as used once they are paid. Request events carry the estimate. A debt
   * that is left when this client is closed, beyond the permits that it still holds, is logged and
   * told to {@link ClientTelemetry#unpaid}.
   */
  @Override
  public ReserveOutcome reserve(Request request, long estimate) {
    Request estimated = request.withCost(estimate);
    Charge charge = book.charge(estimated, clock.getAsLong());
    told.tell(estimated, charge.decision());
    return reserved(charge);
  }

  /** {@inheritDoc} Settled as one of {@link #reserve(Request, long)} is. */
  @Override
  public CompletableFuture<ReserveOutcome> reserveAsync(
      Request request, long estimate, Duration maxWait) {
    Request estimated = request.withCost(estimate);
    CompletableFuture<ReserveOutcome> future =
        pending.charge(
            new WaitingRequest(estimated, clock.getAsLong()),
            new PendingDecisions.Wait(nanos(maxWait), HandOver.ASYNC),
            this::reserved,
            clock.getAsLong());
    return told.tell(estimated, future, ReserveOutcome::decision);
  }

  private ReserveOutcome reserved(Charge charge) {
    return Reservation.of(charge, ending -> settle(charge, ending));
  }

  private boolean settle(Charge charge, Ending ending) {
    boolean first = charge.settle(ending, clock.getAsLong());
    parts.sayUnpaid();
    return first;
  }

  /**
   * Hands a throttled request over to the enforcer, which releases it once the first rule in force
   * that matches it and defers has room; then a {@link ReplayHandler} of a service runs it. The
   * request is durable before the enforcer answers. No thread waits; the common pool completes the
   * future.
   *
   * <p>The future fails with a {@link DeferralTimeoutException} if the request is durable but there
   * is no answer within {@code defer.timeout}, and with another {@link DeferralException} if it was
   * not deferred, or may not have been.
   *
   * @throws IllegalArgumentException if no rule in force that defers matches the request, or if a
   *     request with this id is already waiting for its answer
   */
  public CompletableFuture<Deferred> defer(Request request, Deferral deferral) {
    return parts.deferral().deferrals().defer(request, deferral);
  }

  /**
   * Asks the enforcer not to run a deferred request that still waits: it becomes a dead letter.
   *
   * @param id of the deferred request
   * @param quotaKey that it waits for
   * @return done once the cancellation is durable; fails if it may not be
   */
  public CompletableFuture<Void> cancel(String id, QuotaKey quotaKey) {
    return parts.deferral().deferrals().cancel(id, quotaKey);
  }

  /**
   * Runs the replays of this client's domains, together with the other members of its consumer
   * groups, until the runner or this client is closed. Does not wait for Kafka. Replays for which a
   * group has no offset are handled unless the enforcer says that they are acknowledged.
   */
  public ReplayRunner replays(ReplayHandler handler, ReplayOptions options) {
    return parts.deferral().replays(handler, options);
  }

  @Override
  public QuotaHandle handle(String rule, String... keyValues) {
    boolean isKnown = !rules().rules().isEmpty() || !(readiness() instanceof Readiness.NotYet);
    return RuleHandle.of(parts.handles(), isKnown, rule, keyValues);
  }

  /**
   * Waits until the rules that were published before the start are in force. Decisions need not
   * wait for it: until then they are {@link Decision.NotReady}, and as {@code before.rules} says.
   *
   * @return false if the time was up first
   */
  public boolean awaitRules(Duration timeout) throws InterruptedException {
    return parts.awaitRules(timeout);
  }

  @Override
  public RuleSet rules() {
    return book.rules();
  }

  @Override
  public Readiness readiness() {
    return parts.readiness();
  }

  /** Whether the enforcer does not answer for this key at the moment. */
  public boolean isDegraded(QuotaKey key) {
    return book.isAway(key, clock.getAsLong());
  }

  /** Epoch nanoseconds by the clock of this key's enforcer, as closely as they are known. */
  public long enforcerNanos(QuotaKey key, long monotonicNanos) {
    return book.toEnforcerNanos(key, monotonicNanos);
  }

  /** How many quota keys this instance has in use; dormant ones do not count. */
  public int keys() {
    return book.size();
  }

  /**
   * The permits it holds and the requests that wait for some. This looks at every quota key: call
   * it every few seconds, not for each request.
   */
  public ClientStatus status() {
    long now = clock.getAsLong();
    return new ClientStatus(
        rules().rules().size(),
        keys(),
        waiting(),
        book.held(now),
        book.opened(),
        book.partitionsAway(now),
        Duration.ofNanos(book.unansweredNanos(now)));
  }

  /**
   * Where the service says what its load is, for rules whose limits follow it. Of a service that
   * says nothing here nothing is sent.
   */
  public Load load() {
    return parts.load();
  }

  /** This instance's id. */
  public String instance() {
    return parts.instance().id();
  }

  /**
   * Finishes the replays that have started, for at most {@code close.timeout} and a second to leave
   * their group; then gives back the permits that it holds, and sends whatever waits to be sent,
   * together for at most {@code close.timeout}. From now on every request is throttled. Permits
   * whose return the enforcer has not confirmed by then count as spent.
   */
  @Override
  public void close() {
    parts.close();
  }
}
