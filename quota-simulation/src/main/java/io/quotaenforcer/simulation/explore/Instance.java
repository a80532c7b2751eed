package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.message.QuotaSnapshot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
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

  /** When the waiting request was refused last, if nothing was heard since; 0 else. */
  private long refusedNanos;

  private final Deque<Running> running = new ArrayDeque<>();

  /** A request that holds a slot. */
  private record Running(long begunNanos, Charge charge) {}

  Instance(AllotmentBook book, Setting setting) {
    this.book = book;
    this.setting = setting;
    this.most = setting.scope.requests();
  }

  /** Decides the next request; empty if there is none or it has to wait. */
  List<RuleDecision> ask(long now) {
    boolean isLast = waiting == null && requests >= most;
    return isLast || refusedNanos == now ? List.of() : askAnyway(now);
  }

  /** An answer arrives. */
  void apply(QuotaSnapshot snapshot, long now) {
    book.applySnapshot(snapshot, now);
    refusedNanos = 0;
  }

  /** Decides the next request, even if there are no more. */
  List<RuleDecision> askAnyway(long now) {
    requests += waiting == null ? 1 : 0;
    WaitingRequest request =
        waiting == null ? new WaitingRequest(wanted(), Setting.START) : waiting;
    Charge charge = book.chargeOrWait(request, now);
    Decision decision = charge.decision();
    waiting = decision.admitted() ? null : request;
    // Who borrows takes of the one and puts it back where the other has no room, each time: without
    // end, if a request that waits were to ask for ever while nothing changes.
    refusedNanos = decision.admitted() || !setting.isOfPool() ? 0 : now;
    if (decision.admitted() && setting.isOfSlots()) {
      running.add(new Running(now, charge));
    }
    return decision.admitted() ? decision.rules() : List.of();
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
    if (requests % 2 != 0) {
      return Setting.REQUEST;
    }
    return setting.hasClasses()
        ? Setting.JOB
        : setting.isOfPool() ? Setting.OTHER : Setting.REQUEST;
  }
}
