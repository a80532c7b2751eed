package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.client.Reservation;
import io.quotaenforcer.client.ReserveOutcome;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import io.quotaenforcer.rules.envoy.GatewayLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Decides what Envoy asks. Each descriptor is decided by itself; if the request is refused, what
 * its descriptors took is given back: a refused request costs nothing. No thread waits. Safe for
 * use by any number of threads.
 */
public final class RateLimits {
  private static final CompletableFuture<Optional<ReserveOutcome>> NOT_ASKED =
      CompletableFuture.completedFuture(Optional.empty());

  private final Admission admission;
  private final Lookup lookup;
  private final EnvoyOptions options;
  private final Refunds refunds = new Refunds();

  /**
   * @param limits of domains that are described as Envoy's own service has them; the rules of all
   *     other domains count by themselves
   */
  public RateLimits(Admission admission, GatewayLimits limits, EnvoyOptions options) {
    this.admission = admission;
    this.lookup = new Lookup(limits, new DomainRules(admission::rules));
    this.options = options;
  }

  /**
   * Decides a request.
   *
   * @return not yet complete while it waits for permits; what it takes after it was cancelled is
   *     given back
   * @throws IllegalArgumentException for a request that is none, or is too large
   */
  public CompletableFuture<RateLimitResponse> decide(RateLimitRequest request) {
    Bounds.check(request);
    List<Optional<Counted>> counted = lookup.of(request.getDomain(), request.getDescriptorsList());
    List<Hits> hits =
        request.getDescriptorsList().stream().map(each -> Hits.of(request, each)).toList();
    List<CompletableFuture<Optional<ReserveOutcome>>> outcomes = new ArrayList<>(hits.size());
    for (int i = 0; i < hits.size(); i++) {
      outcomes.add(ask(counted.get(i), hits.get(i)));
    }
    CompletableFuture<RateLimitResponse> answer =
        CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
            .thenApply(
                done -> {
                  List<Asked> asked = new ArrayList<>(hits.size());
                  for (int i = 0; i < hits.size(); i++) {
                    asked.add(asked(counted.get(i), hits.get(i), outcomes.get(i).join()));
                  }
                  return answer(asked);
                });
    answer.whenComplete(
        (made, failure) -> {
          if (answer.isCancelled()) {
            outcomes.forEach(RateLimits::cancel);
          }
        });
    return answer;
  }

  private Asked asked(Optional<Counted> counted, Hits hits, Optional<ReserveOutcome> outcome) {
    return takes(counted, hits)
        ? new Asked(counted, ((Hits.Take) hits).permits(), false, false, outcome)
        : new Asked(counted, 1, true, hits instanceof Hits.Refund, outcome);
  }

  /** Whether a descriptor's permits must be there before its request runs. */
  private boolean takes(Optional<Counted> counted, Hits hits) {
    return hits instanceof Hits.Take
        && counted.flatMap(Counted::rule).filter(options.late()::contains).isEmpty();
  }

  /** Ends the wait, or gives back what it has taken. */
  private static void cancel(CompletableFuture<Optional<ReserveOutcome>> outcome) {
    if (!outcome.cancel(false)) {
      outcome.thenAccept(RateLimits::cancel);
    }
  }

  private static void cancel(Optional<ReserveOutcome> outcome) {
    if (outcome.isPresent() && outcome.get() instanceof Reservation reservation) {
      reservation.cancel();
    }
  }

  private CompletableFuture<Optional<ReserveOutcome>> ask(Optional<Counted> counted, Hits hits) {
    if (counted.isEmpty() || counted.get().isUnlimited()) {
      return NOT_ASKED;
    }
    RuleId rule = counted.get().rule().orElseThrow();
    Optional<QuotaHandle> handle = handle(rule, counted.get().values());
    if (handle.isEmpty()) {
      return NOT_ASKED;
    }
    if (hits instanceof Hits.Take take && takes(counted, hits)) {
      return waiting(handle.get().reserveAsync(take.permits(), options.maxWait()));
    }
    if (hits instanceof Hits.Take late) {
      chargeLate(rule, handle.get(), late.permits());
    } else if (hits instanceof Hits.Refund refund) {
      refunds.refund(rule, counted.get().values(), refund.permits());
    }
    return look(handle.get(), hits instanceof Hits.Check ? options.maxWait() : Duration.ZERO);
  }

  /** A request that has run holds no slots any more. */
  private void chargeLate(RuleId rule, QuotaHandle handle, long permits) {
    if (!isOfSlots(rule)) {
      handle.charge(permits);
    }
  }

  /** Ends the wait when it is cancelled, and gives back what came at the same moment. */
  private static CompletableFuture<Optional<ReserveOutcome>> waiting(
      CompletableFuture<ReserveOutcome> reserved) {
    CompletableFuture<Optional<ReserveOutcome>> outcome = reserved.thenApply(Optional::of);
    outcome.whenComplete(
        (made, failure) -> {
          if (outcome.isCancelled()) {
            reserved.cancel(false);
            reserved.thenAccept(late -> cancel(Optional.of(late)));
          }
        });
    return outcome;
  }

  /**
   * How a rule stands: a permit is taken, and given back at once.
   *
   * @param wait for a permit where the instance holds none, as of a key that is new to it
   */
  private static CompletableFuture<Optional<ReserveOutcome>> look(
      QuotaHandle handle, Duration wait) {
    CompletableFuture<Optional<ReserveOutcome>> taken = waiting(handle.reserveAsync(1, wait));
    CompletableFuture<Optional<ReserveOutcome>> seen =
        taken.thenApply(
            outcome -> {
              // It stands with the permit taken: that is asked for before it goes back.
              outcome.orElseThrow().decision().rule();
              cancel(outcome);
              return outcome;
            });
    seen.whenComplete(
        (made, failure) -> {
          if (seen.isCancelled()) {
            cancel(taken);
          }
        });
    return seen;
  }

  /** Empty for a rule that is not in force. */
  private Optional<QuotaHandle> handle(RuleId rule, List<String> values) {
    if (admission.isReady() && admission.rules().rule(rule).isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(admission.handle(rule.toString(), values.toArray(String[]::new)));
    } catch (IllegalArgumentException changedMeanwhile) {
      return Optional.empty();
    }
  }

  private RateLimitResponse answer(List<Asked> asked) {
    boolean isOver = Answer.isOver(asked);
    asked.forEach(Asked::standing);
    for (Asked each : asked) {
      if (isOver) {
        each.cancel();
      } else {
        settle(each);
      }
    }
    return Answer.of(asked, isOver, options.headers());
  }

  /**
   * Ends what a request that goes on has taken, as nobody says when it ends: it holds its slots no
   * longer than it is decided. Only what a refund may be asked of stays open.
   */
  private void settle(Asked asked) {
    if (asked.onlyLooked() || !(asked.outcome().orElse(null) instanceof Reservation reservation)) {
      return;
    }
    Counted counted = asked.counted().orElseThrow();
    RuleId rule = counted.rule().orElseThrow();
    if (isOfSlots(rule)) {
      Refunds.end(reservation);
    } else {
      refunds.took(rule, counted.values(), reservation, asked.permits());
    }
  }

  private boolean isOfSlots(RuleId rule) {
    return admission
        .rules()
        .rule(rule)
        .filter(each -> each.limit() instanceof ConcurrencyLimit)
        .isPresent();
  }
}
