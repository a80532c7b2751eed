package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.GuardedTelemetry;
import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.internal.config.AdmissionConfig;
import io.quotaenforcer.client.internal.config.BeforeRules;
import io.quotaenforcer.client.internal.config.RequestEvents;
import io.quotaenforcer.client.internal.kafka.BackgroundLoops;
import io.quotaenforcer.client.internal.kafka.EnforcerListener;
import io.quotaenforcer.client.internal.kafka.EventSender;
import io.quotaenforcer.client.internal.kafka.HandOver;
import io.quotaenforcer.client.internal.kafka.KafkaLink;
import io.quotaenforcer.client.internal.kafka.KafkaPresence;
import io.quotaenforcer.client.internal.kafka.PendingDecisions;
import io.quotaenforcer.client.internal.kafka.WaitTimer;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.rules.RuleFeed;
import io.quotaenforcer.schemas.topic.Identity;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of an admission client, tied together from its start to its end. */
final class ClientParts {
  /** The interface that users know: a field of the class would close a circle of packages. */
  private static final Logger log =
      LoggerFactory.getLogger("io.quotaenforcer.client.AdmissionClient");

  private final AdmissionConfig config;
  private final Instance instance;
  private final AllotmentBook book;
  private final SuspendProofClock clock;
  private final CoarseClock coarseClock;
  private final ClientHandles handles;
  private final KafkaPresence presence;
  private final HandOver handOver;
  private final Load load = new Load();
  private final PendingDecisions pending;
  private final WaitTimer waitTimer;
  private final DeferralService deferral;
  private final BackgroundLoops loops;
  private final @Nullable RequestEventEmitter events;
  private final ToldDecisions told;
  private final GivenUpMatches givenUp;
  private final LifeLog life;
  private final UnhashedRules unhashed;
  private final @Nullable RulesCache rulesCache;
  private final Optional<RulesFile.Content> ofLastTime;

  ClientParts(AdmissionConfig config, Clocks clocks, ClientTelemetry telemetry) {
    this.config = config;
    this.clock = new SuspendProofClock(clocks);
    SecureRandom random = new SecureRandom();
    this.instance =
        new Instance(
            new Identity(config.instance(), random.nextLong()),
            new Clocks(clock, clocks.epochNanos()),
            new GuardedTelemetry(telemetry));
    Optional<RulesFile> file = RulesFile.of(config);
    this.rulesCache = file.map(each -> new RulesCache(each, instance.id())).orElse(null);
    this.ofLastTime = file.flatMap(RulesFile::read);
    this.coarseClock = new CoarseClock(clock, instance.id());
    this.book = book(random.nextLong());
    // A tick of a clock that runs faster is too long.
    LongSupplier clockOfBalanced = clocks.equals(Clocks.system()) ? coarseClock : clock;
    this.givenUp = new GivenUpMatches(book::takeGivenUp, instance.telemetry());
    this.life = new LifeLog(instance.id(), clock.getAsLong());
    this.unhashed = new UnhashedRules(book);
    this.presence = KafkaPresence.of(config.kafka().consumerProperties());
    this.handOver = new HandOver(instance.id());
    this.pending =
        new PendingDecisions(
            book,
            clock,
            handOver,
            new PendingDecisions.Limits(
                config.deciding().maxWaiting(), instance.telemetry()::notWaited),
            presence::isAway);
    this.book.whenReleased(pending::released);
    this.handles = new ClientHandles(book, clock, clockOfBalanced, pending, instance.telemetry());
    this.waitTimer = new WaitTimer(pending, handOver, clock, instance.id());
    this.deferral = new DeferralService(config, instance, book, pending, presence);
    this.loops =
        new BackgroundLoops(
            instance,
            KafkaLink.of(
                config.wire(),
                config.kafka().producerProperties(),
                config.kafka().consumerProperties(),
                presence),
            book,
            new RuleFeed(
                config::wantsDomain,
                ofLastTime.map(RulesFile.Content::rules).orElseGet(RuleSet::empty)),
            new Listener(),
            new LoadReports(
                load,
                instance.id(),
                config.domains(),
                book::rules,
                new OwnLoad(book::applyOwnLimits, instance.telemetry()),
                instance.clocks()));
    this.events =
        config.events().decisions() == RequestEvents.NONE
            ? null
            : new RequestEventEmitter(
                config,
                instance.clocks(),
                new EventSender.Boundary(
                    () -> !book.awaitsRules(),
                    config.hashing().leaving(() -> book.rules().hashed())),
                presence);
    this.told =
        new ToldDecisions(
            instance.telemetry(), telemetry != ClientTelemetry.NONE, config.events(), events);
  }

  private AllotmentBook book(long secret) {
    AdmissionConfig.Deciding deciding = config.deciding();
    long wallOffset = instance.clocks().epochNanos().getAsLong() - instance.now();
    AllotmentBook made =
        new AllotmentBook(
            deciding.bookSettings(),
            ofLastTime
                .map(RulesFile.Content::maxInstances)
                .filter(known -> known > 0)
                .orElse(deciding.maxInstances()),
            wallOffset,
            secret);
    made.hashBy(config.hashing().keys().current());
    made.beforeRules(new Decision.NotReady(deciding.beforeRules() == BeforeRules.ADMIT));
    ofLastTime.ifPresent(
        lastTime -> {
          made.applyRules(lastTime.rules(), instance.now());
          log.info(
              "{} rules as of {} are in force until those of now are read",
              lastTime.rules().rules().size(),
              lastTime.asOf());
        });
    return made;
  }

  void start() {
    life.started(config);
    loops.start();
  }

  Instance instance() {
    return instance;
  }

  AllotmentBook book() {
    return book;
  }

  ClientHandles handles() {
    return handles;
  }

  Load load() {
    return load;
  }

  PendingDecisions pending() {
    return pending;
  }

  DeferralService deferral() {
    return deferral;
  }

  ToldDecisions told() {
    return told;
  }

  boolean awaitRules(Duration timeout) throws InterruptedException {
    return loops.awaitRules(timeout);
  }

  Readiness readiness() {
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

  /** Replays first; the rest shares {@code close.timeout}. */
  void close() {
    deferral.closeReplays();
    long deadline = System.nanoTime() + config.closeTimeout().toNanos();
    if (events != null) {
      events.stop();
    }
    pending.close(instance.now());
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

  void sayUnpaid() {
    long permits = book.takeUnpaid();
    if (permits > 0) {
      log.warn(
          "{} permits that requests cost more than was reserved for them are never paid: this"
              + " client is closed, or their rule is gone",
          permits);
      instance.telemetry().unpaid(permits);
    }
  }

  private void followHashKeys() {
    HashKeys keys = config.hashing().keys().current();
    if (keys != book.hashKeys()) {
      book.hashBy(keys);
      unhashed.look();
    }
  }

  private void makeUpForSuspension() {
    long stoodStill = clock.makeUp();
    if (stoodStill > 0) {
      book.stoodStill(stoodStill, instance.now());
      log.warn(
          "this machine was suspended for {} s, or its wall clock was set ahead by that: all permits"
              + " are given back, and asked for anew",
          stoodStill / 1e9);
    }
  }

  private final class Listener implements EnforcerListener {
    @Override
    public void answered(QuotaSnapshot snapshot) {
      long now = instance.now();
      pending.answered(snapshot, now);
      life.answered(snapshot, now);
    }

    @Override
    public void answered(DeferralAnswer answer) {
      deferral.answered(answer);
    }

    @Override
    public void rulesApplied(RuleSet rules, int maxInstances) {
      pending.rulesKnown(instance.now());
      life.rulesApplied(rules);
      unhashed.look();
      if (rulesCache != null) {
        rulesCache.changed(rules, maxInstances, Instant.now());
      }
    }

    @Override
    public void rulesIncomplete() {
      unhashed.look();
      pending.rulesKnown(instance.now());
    }

    @Override
    public void tick() {
      makeUpForSuspension();
      long now = instance.now();
      deferral.tick(now);
      givenUp.tick(now);
      followHashKeys();
      life.look(book.partitionsAway(now), presence.isAway(), now);
      if (rulesCache != null && loops.isInTouch()) {
        rulesCache.confirmed(Instant.now());
      }
      sayUnpaid();
    }
  }
}
