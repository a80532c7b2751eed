package io.quotaenforcer.simulation;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.WaitingRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Requests of one instance that hold slots until they end, and those that wait for some. */
final class SimulatedPassages {
  private final AllotmentBook book;
  private final LongSupplier clock;
  private final Timeline time;
  private final Deque<Waiter> waiting = new ArrayDeque<>();

  private record Waiter(WaitingRequest request, Consumer<Charge> whenIn, long untilNanos) {}

  SimulatedPassages(AllotmentBook book, LongSupplier clock, Timeline time) {
    this.book = book;
    this.clock = clock;
    this.time = time;
    book.whenReleased((key, now) -> time.at(time.now(), this::tryAll));
  }

  /**
   * A request comes.
   *
   * @param waitNanos for which it waits; 0 for one that does not
   * @param whenIn is told when it has its slots
   */
  void enter(Request request, long waitNanos, Consumer<Charge> whenIn) {
    if (waitNanos == 0) {
      Charge charge = book.charge(request, clock.getAsLong());
      if (charge.decision().admitted()) {
        whenIn.accept(charge);
      }
      return;
    }
    WaitingRequest wanted = new WaitingRequest(request, clock.getAsLong());
    Charge charge = book.chargeOrWait(wanted, clock.getAsLong());
    if (charge.decision().admitted()) {
      whenIn.accept(charge);
    } else if (!charge.decision().neverAdmitted()) {
      waiting.add(new Waiter(wanted, whenIn, time.now() + waitNanos));
    }
  }

  /** Lets those in that wait, in the order in which they came. */
  void tryAll() {
    while (!waiting.isEmpty()) {
      Waiter first = waiting.element();
      if (first.untilNanos < time.now()) {
        book.withdraw(first.request);
        waiting.remove();
        continue;
      }
      Charge charge = book.chargeOrWait(first.request, clock.getAsLong());
      if (!charge.decision().admitted()) {
        return;
      }
      waiting.remove();
      first.whenIn.accept(charge);
    }
  }
}
