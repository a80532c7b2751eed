package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.WaitingRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A real allotment book, and a client whose next request comes when the previous one is done, or
 * holds its slot.
 */
final class Instance {
  final AllotmentBook book;
  private @Nullable WaitingRequest waiting;
  private final Setting setting;
  private final int most;
  private int requests;
  private final Deque<Running> running = new ArrayDeque<>();

  /** A request that holds a slot. */
  private record Running(long begunNanos, Charge charge) {}

  Instance(AllotmentBook book, Setting setting) {
    this.book = book;
    this.setting = setting;
    this.most = setting.scope.requests();
  }

  /** Decides the next request; empty if there is none or it has to wait. */
  Optional<RuleDecision> ask(long now) {
    return waiting == null && requests >= most ? Optional.empty() : askAnyway(now);
  }

  /** Decides the next request, even if there are no more. */
  Optional<RuleDecision> askAnyway(long now) {
    requests += waiting == null ? 1 : 0;
    WaitingRequest request =
        waiting == null ? new WaitingRequest(wanted(), Setting.START) : waiting;
    Charge charge = book.chargeOrWait(request, now);
    Decision decision = charge.decision();
    waiting = decision.admitted() ? null : request;
    if (decision.admitted() && setting.isOfSlots()) {
      running.add(new Running(now, charge));
    }
    return decision.admitted() ? decision.rule() : Optional.empty();
  }

  /** Ends the oldest request that holds a slot, and says when it began; empty if none does. */
  Optional<Long> end(long now) {
    Running oldest = running.poll();
    if (oldest == null) {
      return Optional.empty();
    }
    oldest.charge.settle(1, now);
    return Optional.of(oldest.begunNanos);
  }

  private Request wanted() {
    return setting.hasClasses() && requests % 2 == 0 ? Setting.JOB : Setting.REQUEST;
  }
}
