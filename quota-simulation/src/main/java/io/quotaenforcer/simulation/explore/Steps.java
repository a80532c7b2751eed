package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.simulation.explore.Desks.Answer;
import io.quotaenforcer.simulation.explore.Step.Kind;
import java.util.function.ObjIntConsumer;

/** Lets one thing happen to a world. */
final class Steps {
  private static final String TOO_MANY = "a permit was admitted over the limit";

  private final Parts parts;
  private final Scope scope;
  private String violation = "";

  Steps(Parts parts, Scope scope) {
    this.parts = parts;
    this.scope = scope;
  }

  /** The promise that the last step broke; empty if none. */
  String violation() {
    return violation;
  }

  /** Offers every step that might be possible, by kind and subject. */
  static void offer(World world, ObjIntConsumer<Kind> to) {
    for (int i = 0; i < world.instances; i++) {
      to.accept(Kind.ASK, i);
      to.accept(Kind.END, i);
      to.accept(Kind.REPORT, i);
      to.accept(Kind.CRASH, i);
    }
    for (int m = 0; m < world.messages; m++) {
      to.accept(world.isNext(m) ? Kind.DELIVER : Kind.REORDER, m);
      to.accept(Kind.READ_BY_ZOMBIE, m);
      to.accept(Kind.LOSE, m);
      to.accept(Kind.DUPLICATE, m);
    }
    to.accept(Kind.COMMIT, 0);
    to.accept(Kind.TICK, 0);
    to.accept(Kind.FAIL_OVER, 0);
    to.accept(Kind.FAIL_OVER_LEAVING_ZOMBIE, 0);
  }

  /**
   * Takes a step if it is possible and within the scope; if not, the world may be left half
   * changed. An exception of the real code breaks a promise, too.
   */
  boolean take(World world, Kind kind, int of) {
    violation = "";
    try {
      return isAllowed(world, kind)
          && happens(world, kind, of)
          && world.messages <= Scope.MAX_IN_FLIGHT
          && parts.desks.facts(world.desk).uncommitted() <= Scope.MAX_IN_FLIGHT;
    } catch (RuntimeException e) {
      violation = String.valueOf(e);
      return true;
    }
  }

  /** Like {@link #take}, but regardless of the scope. */
  boolean happens(World world, Kind kind, int of) {
    boolean happened =
        switch (kind) {
          case ASK -> ask(world, of);
          case END -> end(world, of);
          case REPORT -> report(world, of);
          case DELIVER, REORDER -> deliver(world, of);
          case READ_BY_ZOMBIE -> readByZombie(world, of);
          case COMMIT -> commit(world);
          case TICK -> tick(world);
          case CRASH -> crash(world, of);
          case LOSE -> lose(world, of);
          case DUPLICATE -> duplicate(world, of);
          case FAIL_OVER -> failOver(world);
          case FAIL_OVER_LEAVING_ZOMBIE -> leaveZombie(world);
        };
    if (happened
        && violation.isEmpty()
        && parts.desks.facts(world.desk).counted() > parts.admissions.total(world.admitted)) {
      violation = "a permit was counted twice";
    }
    return happened;
  }

  private boolean isAllowed(World world, Kind kind) {
    if (kind == Kind.TICK && world.tick == scope.lastTick()) {
      return false;
    }
    FaultKind fault =
        switch (kind) {
          case ASK, END, REPORT, DELIVER, READ_BY_ZOMBIE, COMMIT -> null;
          case TICK -> isDone(world) ? null : FaultKind.EXPIRY;
          case CRASH -> FaultKind.CRASH;
          case LOSE -> FaultKind.LOSS;
          case DUPLICATE -> FaultKind.DUPLICATE;
          case REORDER -> FaultKind.REORDER;
          case FAIL_OVER -> FaultKind.FAILOVER;
          case FAIL_OVER_LEAVING_ZOMBIE -> FaultKind.ZOMBIE;
        };
    if (fault == null) {
      return true;
    }
    boolean allowed =
        scope.kinds().contains(fault)
            && fault.in(world.faults) < scope.faultsOfAKind()
            && FaultKind.sum(world.faults) < scope.faultsInAll();
    world.faults = fault.addedTo(world.faults);
    return allowed;
  }

  /** Whether nothing is under way, due or open. */
  private boolean isDone(World world) {
    if (world.messages > 0 || parts.desks.facts(world.desk).hasWritten()) {
      return false;
    }
    for (int book : world.books) {
      if (Automaton.output(parts.books.report(book, world.tick)) > 0) {
        return false;
      }
    }
    return true;
  }

  private boolean ask(World world, int instance) {
    int before = world.books[instance];
    long after = parts.books.ask(before, world.tick);
    world.books[instance] = Automaton.state(after);
    if (Automaton.output(after) == 0) {
      return Automaton.state(after) != before;
    }
    int admitted = parts.admissions.admit(world.admitted, Automaton.output(after) - 1, world.tick);
    if (admitted == Admissions.TOO_MANY) {
      violation = TOO_MANY;
    } else {
      world.admitted = admitted;
    }
    return true;
  }

  private boolean end(World world, int instance) {
    long after = parts.books.end(world.books[instance], world.tick);
    if (Automaton.output(after) == 0) {
      return false;
    }
    world.books[instance] = Automaton.state(after);
    world.admitted = parts.admissions.end(world.admitted, Automaton.output(after) - 1);
    return true;
  }

  private boolean report(World world, int instance) {
    int before = world.books[instance];
    long after = parts.books.report(before, world.tick);
    world.books[instance] = Automaton.state(after);
    if (Automaton.output(after) > 0) {
      world.send(Head.report(instance, world.epochs[instance]), Automaton.output(after) - 1);
      return true;
    }
    return Automaton.state(after) != before;
  }

  private boolean deliver(World world, int message) {
    int head = world.heads[message];
    int content = world.contents[message];
    world.remove(message);
    int instance = Head.instance(head);
    if (Head.isSnapshot(head)) {
      long after = parts.books.apply(world.books[instance], world.tick, content);
      world.books[instance] = Automaton.state(after);
    } else {
      long after = parts.desks.read(world.desk, world.tick, instance, Head.epoch(head), content);
      world.desk = answer(world, after, false);
    }
    return true;
  }

  private boolean readByZombie(World world, int message) {
    int head = world.heads[message];
    if (world.zombie == World.NOBODY || Head.isSnapshot(head) || Head.isSeenByZombie(head)) {
      return false;
    }
    int content = world.contents[message];
    world.heads[message] = Head.seenByZombie(head);
    long after =
        parts.desks.read(world.zombie, world.tick, Head.instance(head), Head.epoch(head), content);
    world.zombie = answer(world, after, true);
    return true;
  }

  private boolean commit(World world) {
    if (!parts.desks.facts(world.desk).hasWritten()) {
      return false;
    }
    world.desk = answer(world, parts.desks.commit(world.desk, world.tick), false);
    return true;
  }

  /** No request holds a slot for longer than it may: it ends before time goes on. */
  private boolean tick(World world) {
    if (parts.setting.isOfSlots()) {
      for (int book : world.books) {
        int begun = Automaton.output(parts.books.end(book, world.tick)) - 1;
        if (begun >= 0 && begun < world.tick) {
          return false;
        }
      }
      world.admitted = parts.admissions.tick(world.admitted, world.tick + 1);
    }
    world.tick++;
    return true;
  }

  private boolean crash(World world, int instance) {
    int anew = parts.books.opened(world.tick);
    if (world.books[instance] == anew) {
      return false;
    }
    world.books[instance] = anew;
    world.epochs[instance]++;
    for (int m = world.messages - 1; m >= 0; m--) {
      int head = world.heads[m];
      if (Head.isSnapshot(head) && Head.instance(head) == instance) {
        world.remove(m);
      }
    }
    return true;
  }

  private static boolean lose(World world, int message) {
    world.remove(message);
    return true;
  }

  /** The copy goes last. */
  private static boolean duplicate(World world, int message) {
    world.send(Head.unseen(world.heads[message]), world.contents[message]);
    return true;
  }

  private boolean failOver(World world) {
    int before = world.desk;
    long after = parts.desks.failOver(before, world.tick);
    world.desk = answer(world, after, false);
    return world.desk != before;
  }

  private boolean leaveZombie(World world) {
    world.zombie = Automaton.state(parts.desks.outlive(world.desk));
    for (int m = 0; m < world.messages; m++) {
      world.heads[m] = Head.unseen(world.heads[m]);
    }
    return failOver(world);
  }

  /** Sends the output to the instances that still run. */
  private int answer(World world, long after, boolean fromZombie) {
    for (Answer answer : parts.desks.answers(Automaton.output(after))) {
      if (world.epochs[answer.instance()] == answer.epoch()) {
        world.send(Head.snapshot(answer.instance(), answer.epoch(), fromZombie), answer.snapshot());
      }
    }
    return Automaton.state(after);
  }
}
