package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.GuardedTelemetry;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.HeldSlots;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.CountedUnder;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.core.standalone.LocalQuotas;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Rules decided in this process alone, exactly, by the same algorithms as everywhere: for a service
 * of one instance, and for tests. Needs no Kafka and has no threads. Telemetry hears of matches
 * that were given up and of limits in force by the load, from threads that decide and from {@link
 * #close}, and of nothing else.
 *
 * <p>A rule's {@code enforcement} and {@code on-unavailable} make no difference, and nothing can be
 * deferred. Rules that hash values do so by a key that only this process has, unless it was given
 * others. Counts are lost with the process. Quota keys that cannot matter any more are forgotten;
 * beyond {@value LocalQuotas#MAX_KEYS} at once, requests of new ones are throttled. Safe for use by
 * any number of threads.
 */
public final class StandaloneAdmission implements Admission {
  private final LocalQuotas quotas;
  private final GivenUpMatches givenUp;
  private final AtomicBoolean telling = new AtomicBoolean();
  private final LongSupplier clock;
  private final LoadLooks looks;

  /**
   * @param keys that values are hashed by, for rules that say so
   */
  StandaloneAdmission(
      Collection<Rule> rules, Clocks clocks, ClientTelemetry telemetry, HashKeys keys) {
    quotas = new LocalQuotas(RuleSet.of(rules), LocalQuotas.MAX_KEYS, keys);
    ClientTelemetry guarded = new GuardedTelemetry(telemetry);
    givenUp = new GivenUpMatches(quotas::takeGivenUp, guarded);
    LongSupplier monotonic = clocks.monotonicNanos();
    long offset = clocks.epochNanos().getAsLong() - monotonic.getAsLong();
    // The wall clock may step, and only says where windows begin.
    clock = () -> monotonic.getAsLong() + offset;
    looks =
        new LoadLooks(
            quotas.rules(), new OwnLoad(quotas::applyOwnLimits, guarded), clock.getAsLong());
  }

  /** The time of a decision, which is by what the load leaves of limits then. */
  private long now() {
    long now = clock.getAsLong();
    looks.look(now);
    return now;
  }

  /**
   * Says what the load of this process is, for rules whose limit follows that of each instance.
   * Measures are asked once a second by a thread that decides.
   */
  public Load load() {
    return looks.load();
  }

  @Override
  public Decision decide(Request request) {
    long now = now();
    Decision decision = quotas.decide(request, now);
    tellGivenUp(now);
    return decision;
  }

  @Override
  public boolean tryAcquire(Request request) {
    return decide(request).admitted();
  }

  /** Decided at once: no permits are ever on their way. */
  @Override
  public Decision decide(Request request, Duration maxWait) {
    return decide(request);
  }

  /** Decided at once: no permits are ever on their way. */
  @Override
  public CompletableFuture<Decision> decideAsync(Request request, Duration maxWait) {
    return CompletableFuture.completedFuture(decide(request));
  }

  @Override
  public ReserveOutcome reserve(Request request, long estimate) {
    long now = now();
    Charge charge = quotas.charge(request.withCost(estimate), now);
    tellGivenUp(now);
    return Reservation.of(charge, ending -> charge.settle(ending, now()));
  }

  /** Decided at once: no permits are ever on their way. */
  @Override
  public CompletableFuture<ReserveOutcome> reserveAsync(
      Request request, long estimate, Duration maxWait) {
    return CompletableFuture.completedFuture(reserve(request, estimate));
  }

  @Override
  public QuotaHandle handle(String rule, String... keyValues) {
    return RuleHandle.of(new Handles(), true, rule, keyValues);
  }

  /** Slots that a request holds by a handle. */
  private record Held(Charge charge) implements HeldSlots {}

  private final class Handles implements RuleHandle.Decider {
    /** Decided at once: no permits are ever on their way. */
    @Override
    public CompletableFuture<Decision> decideAsync(
        RuleHandle handle, long permits, Duration maxWait) {
      return CompletableFuture.completedFuture(handle.decide(permits));
    }

    @Override
    public CompletableFuture<ReserveOutcome> reserveAsync(
        RuleHandle handle, long permits, Duration maxWait) {
      // Asked of a rule that counts the key only: it takes what it has room for.
      Rule rule = quotas.rules().rule(handle.rule()).orElseThrow();
      Charge charge =
          quotas.charge(rule, keysOf(rule, handle), handle.demandClass(rule), permits, now());
      return CompletableFuture.completedFuture(
          Reservation.of(charge, ending -> charge.settle(ending, now())));
    }

    @Override
    public RuleSet rules() {
      return quotas.rules();
    }

    private List<QuotaKey> keysOf(Rule rule, RuleHandle handle) {
      return rule.countedUnder(handle.values(), hashKeys()) instanceof CountedUnder.Keys known
          ? known.all()
          : List.of();
    }

    @Override
    public HashKeys hashKeys() {
      return quotas.hashKeys();
    }

    @Override
    public RuleHandle.KeyTaker taker(Rule rule, QuotaKey quotaKey, int demandClass) {
      return taker(rule, List.of(quotaKey), demandClass);
    }

    @Override
    public RuleHandle.KeyTaker taker(RuleHandle handle, Rule rule, List<QuotaKey> quotaKeys) {
      return taker(rule, quotaKeys, handle.demandClass(rule));
    }

    private RuleHandle.KeyTaker taker(Rule rule, List<QuotaKey> quotaKeys, int demandClass) {
      return new RuleHandle.KeyTaker() {
        @Override
        public boolean tryAcquire(long permits) {
          return decide(permits).admitted();
        }

        @Override
        public Decision decide(long permits) {
          long now = now();
          Charge charge = quotas.charge(rule, quotaKeys, demandClass, permits, now);
          charge.settle(charge.charged(), now);
          return charge.decision();
        }

        @Override
        public void charge(long permits) {
          long now = now();
          quotaKeys.forEach(key -> quotas.chargeOrOwe(rule, key, permits, now));
        }

        @Override
        public @Nullable HeldSlots enter(long slots) {
          Charge charge = quotas.charge(rule, quotaKeys, demandClass, slots, now());
          return charge.decision().admitted() ? new Held(charge) : null;
        }

        @Override
        public void leave(HeldSlots held, long slots) {
          if (held instanceof Held of) {
            of.charge.settle(of.charge.charged(), now());
          }
        }
      };
    }

    /** There is always a key. */
    @Override
    public Decision unhashed(Rule rule) {
      throw new IllegalStateException("must have hash keys: rule=" + rule.id());
    }

    @Override
    public Decision unmatched() {
      return new Decision.Unmatched();
    }

    /** The rules never change. */
    @Override
    public Decision unfit(String why) {
      throw new IllegalStateException(why);
    }
  }

  @Override
  public RuleSet rules() {
    return quotas.rules();
  }

  /** Always ready. */
  @Override
  public Readiness readiness() {
    return new Readiness.Ready();
  }

  /** How many quota keys are held in memory. */
  public int keys() {
    return quotas.size();
  }

  /** Gives nothing back; tells telemetry of the matches that it has not heard of yet. */
  @Override
  public void close() {
    if (quotas.hasGivenUp() && telling.compareAndSet(false, true)) {
      givenUp.tellAll(now());
      telling.set(false);
    }
  }

  /** One thread tells for all. */
  private void tellGivenUp(long now) {
    if (quotas.hasGivenUp() && telling.compareAndSet(false, true)) {
      givenUp.tick(now);
      telling.set(false);
    }
  }
}
