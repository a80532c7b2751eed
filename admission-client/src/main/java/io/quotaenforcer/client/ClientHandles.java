package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.kafka.HandOver;
import io.quotaenforcer.client.internal.kafka.PendingDecisions;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.HeldSlots;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.KeyPermits;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state that a client's handles decide by.
 *
 * @param clockOfBalanced the clock for balanced rules: up to a millisecond behind, and quicker to
 *     read
 * @param pending where requests wait
 * @param telemetry guarded
 */
record ClientHandles(
    AllotmentBook book,
    LongSupplier clock,
    LongSupplier clockOfBalanced,
    PendingDecisions pending,
    ClientTelemetry telemetry)
    implements RuleHandle.Decider {

  @Override
  public RuleSet rules() {
    return book.rules();
  }

  @Override
  public HashKeys hashKeys() {
    return book.hashKeys();
  }

  @Override
  public RuleHandle.KeyTaker taker(Rule rule, QuotaKey quotaKey, int demandClass) {
    return new Taker(book.permits(rule, quotaKey, demandClass), clock, clockOfBalanced);
  }

  /** For the time of a rotation only, so that it looks the keys up each time. */
  @Override
  public RuleHandle.KeyTaker taker(RuleHandle handle, Rule rule, List<QuotaKey> quotaKeys) {
    return new RuleHandle.KeyTaker() {
      @Override
      public boolean tryAcquire(long permits) {
        return decide(permits).admitted();
      }

      @Override
      public Decision decide(long permits) {
        long now = clock.getAsLong();
        Charge charge = book.chargeAtLast(waiting(handle, permits, now), now);
        // Slots come back at once: a decision alone holds none.
        charge.settle(charge.charged(), now);
        return charge.decision();
      }

      @Override
      public void charge(long permits) {
        long now = clock.getAsLong();
        quotaKeys.forEach(
            key -> book.permits(rule, key, handle.demandClass(rule)).charge(permits, now));
      }

      @Override
      public @Nullable HeldSlots enter(long slots) {
        long now = clock.getAsLong();
        Charge charge = book.chargeAtLast(waiting(handle, slots, now), now);
        return charge.decision().admitted() ? new Charged(charge) : null;
      }

      @Override
      public void leave(HeldSlots held, long slots) {
        taker(rule, quotaKeys.get(0), handle.demandClass(rule)).leave(held, slots);
      }
    };
  }

  @Override
  public Decision unhashed(Rule rule) {
    return rule.enforcement() == Enforcement.STRICT
        ? new Decision.NotReady(false)
        : book.beforeRules();
  }

  @Override
  public CompletableFuture<Decision> decideAsync(
      RuleHandle handle, long permits, Duration maxWait) {
    long now = clock.getAsLong();
    return pending.decide(
        waiting(handle, permits, now), AdmissionClient.nanos(maxWait), HandOver.ASYNC, now);
  }

  @Override
  public CompletableFuture<ReserveOutcome> reserveAsync(
      RuleHandle handle, long permits, Duration maxWait) {
    long now = clock.getAsLong();
    return pending.charge(
        waiting(handle, permits, now),
        new PendingDecisions.Wait(AdmissionClient.nanos(maxWait), HandOver.ASYNC),
        charge -> Reservation.of(charge, ending -> charge.settle(ending, clock.getAsLong())),
        now);
  }

  private static WaitingRequest waiting(RuleHandle handle, long permits, long now) {
    return WaitingRequest.of(handle.rule(), handle.values(), handle.demandClass(), permits, now);
  }

  @Override
  public Decision unmatched() {
    return book.unmatched();
  }

  @Override
  public Decision unfit(String why) {
    telemetry.failed("decide by a handle", new IllegalArgumentException(why));
    return book.beforeRules();
  }

  /** Slots of all quota keys that one request has. */
  private record Charged(Charge charge) implements HeldSlots {}

  private record Taker(KeyPermits permits, LongSupplier clock, LongSupplier coarse)
      implements RuleHandle.KeyTaker {
    @Override
    public boolean tryAcquire(long wanted) {
      return switch (permits.tryAcquireCoarse(wanted, coarse.getAsLong())) {
        case ADMITTED -> true;
        case THROTTLED -> false;
        case NOT_DECIDED -> permits.tryAcquire(wanted, clock.getAsLong());
      };
    }

    @Override
    public Decision decide(long wanted) {
      return permits.decide(wanted, clock.getAsLong());
    }

    @Override
    public void charge(long spent) {
      permits.charge(spent, clock.getAsLong());
    }

    @Override
    public @Nullable HeldSlots enter(long slots) {
      return permits.enter(slots, clock.getAsLong());
    }

    @Override
    public void leave(HeldSlots held, long slots) {
      if (held instanceof Charged of) {
        of.charge.settle(of.charge.charged(), clock.getAsLong());
      } else if (permits.leave(held, slots)) {
        permits.serve(clock.getAsLong());
      }
    }
  }
}
