package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.WaitingRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A real allotment book, and a client whose next request comes when the previous one is done. */
final class Instance {
  final AllotmentBook book;
  private @Nullable WaitingRequest waiting;
  private final int most;
  private int requests;

  Instance(AllotmentBook book, int most) {
    this.book = book;
    this.most = most;
  }

  /** Decides the next request; empty if there is none or it has to wait. */
  Optional<RuleDecision> ask(long now) {
    return waiting == null && requests >= most ? Optional.empty() : askAnyway(now);
  }

  /** Decides the next request, even if there are no more. */
  Optional<RuleDecision> askAnyway(long now) {
    requests += waiting == null ? 1 : 0;
    WaitingRequest request =
        waiting == null ? new WaitingRequest(Setting.REQUEST, Setting.START) : waiting;
    Decision decision = book.decideOrWait(request, now);
    waiting = decision.admitted() ? null : request;
    return decision.admitted() ? decision.rule() : Optional.empty();
  }
}
