package io.quotaenforcer.client;

import io.quotaenforcer.client.kafka.BackgroundLoops;
import io.quotaenforcer.client.kafka.EnforcerListener;
import io.quotaenforcer.client.kafka.Identity;
import io.quotaenforcer.client.kafka.PendingDecisions;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.GuardedTelemetry;
import io.quotaenforcer.client.spi.ReplayHandler;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests in this process, by permits that the enforcer has granted to it.
 *
 * <p>A decision reads and changes memory only: it never waits for Kafka or for the enforcer. When
 * they are away, each rule decides as its {@code on-unavailable} says. Safe for use by any number
 * of threads; one client per process and set of domains is enough.
 */
public final class AdmissionClient implements AutoCloseable {
  private final AdmissionConfig config;
  private final Identity identity;
  private final AllotmentBook book;
  private final PendingDecisions pending;
  private final BackgroundLoops loops;
  private final DeferralService deferral;
  private final LongSupplier clock;
  private final @Nullable RequestEventEmitter events;

  AdmissionClient(AdmissionConfig config, Clocks clocks, ClientTelemetry telemetry) {
    this.config = config;
    this.clock = clocks.monotonicNanos();
    this.identity = new Identity(config.instance(), new SecureRandom().nextLong());
    long wallOffset = clocks.epochNanos().getAsLong() - clock.getAsLong();
    this.book = new AllotmentBook(config.bookSettings(), config.maxInstances(), wallOffset);
    this.pending = new PendingDecisions(book);
    ClientTelemetry guarded = new GuardedTelemetry(telemetry);
    this.deferral = new DeferralService(config, identity, book, pending, clocks, guarded);
    this.loops =
        new BackgroundLoops(
            identity,
            book,
            config.wire(),
            config.producerProperties(),
            config.consumerProperties(),
            clocks,
            guarded,
            config::wantsDomain,
            new Listener());
    this.events =
        config.requestEvents() == RequestEvents.NONE
            ? null
            : new RequestEventEmitter(config, clocks);
    loops.start();
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

  /** Decides a request by every rule that matches it. Takes nothing when a rule has no room. */
  public Decision decide(Request request) {
    Decision decision = book.decide(request, clock.getAsLong());
    emit(request, decision);
    return decision;
  }

  /**
   * Decides a request, and where its key was not seen before, or its permits are spent, waits for
   * the enforcer's answer. No thread waits.
   *
   * @param maxWait after which it is decided by what is known then
   * @param executor completes the future
   */
  public CompletableFuture<Decision> decideAsync(
      Request request, Duration maxWait, Executor executor) {
    CompletableFuture<Decision> future =
        pending.decide(request, maxWait.toNanos(), executor, clock.getAsLong());
    if (events != null) {
      future.thenAccept(decision -> emit(request, decision));
    }
    return future;
  }

  /** As {@link #decideAsync(Request, Duration, Executor)}, completed by the common pool. */
  public CompletableFuture<Decision> decideAsync(Request request, Duration maxWait) {
    return decideAsync(request, maxWait, ForkJoinPool.commonPool());
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
   * group, until the runner or this client is closed. Does not wait for Kafka.
   */
  public ReplayRunner replays(ReplayHandler handler, ReplayOptions options) {
    return deferral.replays(handler, options);
  }

  /**
   * The permits of one quota key.
   *
   * @param rule {@code domain/rule-id}
   * @param keyValues values of the rule's key attributes, in the rule's order
   * @throws IllegalArgumentException if no such rule is in force, or the values do not fit its key
   */
  public QuotaHandle handle(String rule, String... keyValues) {
    RuleId id = RuleId.parse(rule);
    Rule found =
        book.rules()
            .rule(id)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "must be a rule that is in force: rule="
                            + rule
                            + " known="
                            + book.rules().rules().stream().map(Rule::id).toList()));
    QuotaKey key = QuotaKey.of(id, found.key().parts(List.of(keyValues)));
    return new QuotaHandle(book.permits(found, key), clock);
  }

  /**
   * Waits until the rules that were published before the start are in force. Decisions need not
   * wait for it: without rules, every request is admitted and not counted.
   *
   * @return false if the time was up first
   */
  public boolean awaitRules(Duration timeout) throws InterruptedException {
    return loops.awaitRules(timeout);
  }

  /** The rules in force. */
  public RuleSet rules() {
    return book.rules();
  }

  /** Whether the enforcer does not answer for this key at the moment. */
  public boolean isDegraded(QuotaKey key) {
    return book.isAway(key, clock.getAsLong());
  }

  /** Epoch nanoseconds by the clock of the enforcer of this key, as near as they are known. */
  public long enforcerNanos(QuotaKey key, long monotonicNanos) {
    return book.toEnforcerNanos(key, monotonicNanos);
  }

  /** Quota keys that this instance holds in memory. */
  public int keys() {
    return book.size();
  }

  /** This instance's id. */
  public String instance() {
    return identity.instance();
  }

  /**
   * Finishes the replays that have started and gives back what is held, each for at most {@code
   * close.timeout}. From now on every request is throttled. What the enforcer has not confirmed by
   * then counts as spent.
   */
  @Override
  public void close() {
    deferral.close();
    if (events != null) {
      events.close();
    }
    pending.close(clock.getAsLong());
    loops.close(config.closeTimeout());
  }

  private final class Listener implements EnforcerListener {
    @Override
    public void answered(QuotaSnapshot snapshot) {
      pending.answered(snapshot, clock.getAsLong());
    }

    @Override
    public void answered(DeferralAnswer answer) {
      deferral.deferrals().answered(answer);
    }

    @Override
    public void tick() {
      long now = clock.getAsLong();
      pending.expire(now);
      deferral.deferrals().tick(now);
    }
  }

  private void emit(Request request, Decision decision) {
    RequestEventEmitter emitter = events;
    if (emitter == null
        || (config.requestEvents() == RequestEvents.SAMPLED
            && ThreadLocalRandom.current().nextDouble() >= config.sampleRate())) {
      return;
    }
    Outcome outcome = decision.admitted() ? Outcome.ADMITTED : Outcome.THROTTLED;
    emitter.emit(request, outcome, CountedBy.CLIENT);
  }
}
