package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.client.Reservation;
import io.quotaenforcer.client.ReserveOutcome;
import io.quotaenforcer.core.RuleDecision;
import java.util.Optional;

/**
 * One descriptor of a request, decided by itself.
 *
 * @param counted what it counts by; empty without a limit
 * @param permits that were asked of its rule
 * @param onlyLooked whether they were given back at once
 * @param isRefund whether it gave permits back, which is never over
 * @param outcome of its rule; empty if none was asked
 */
record Asked(
    Optional<Counted> counted,
    long permits,
    boolean onlyLooked,
    boolean isRefund,
    Optional<ReserveOutcome> outcome) {

  /** Whether its rule has no room. */
  boolean isOver() {
    return !isRefund && outcome.map(each -> !each.decision().admitted()).orElse(false);
  }

  boolean isQuotaMode() {
    return counted.map(Counted::isQuotaMode).orElse(false);
  }

  /** Gives back what was taken. */
  void cancel() {
    outcome.ifPresent(
        each -> {
          if (each instanceof Reservation reservation) {
            reservation.cancel();
          }
        });
  }

  /** How the rule stood; to be asked for the first time before anything is given back. */
  Optional<RuleDecision> standing() {
    return outcome.flatMap(each -> each.decision().rule());
  }
}
