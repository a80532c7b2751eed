package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.simulation.explore.Step.Kind;

/**
 * Checks that permits flow again once nothing more goes wrong: every message arrives in its tick,
 * in order, every transaction is committed, every instance asks and reports. A world that admits no
 * permit within two windows of this is stuck. The cost of a takeover comes on top: time stands
 * still, a bucket's clock lags, and unrecorded permits wait for the end of their lease.
 */
final class Calm {
  /** Report, answer that waits for a commit, answer: three rounds are a whole loop. */
  private static final int ROUNDS = 3;

  private static final int TICKS_PER_TAKEOVER = 3;
  private static final int MOST_TAKEOVERS = 4;

  private final Parts parts;
  private final Steps steps;
  private final Symmetry symmetry;
  private final World world;
  private final int[] words;
  private final LongSet good = new LongSet();
  private final int ticks;
  private final long[] path;

  Calm(Parts parts, Scope scope) {
    this.parts = parts;
    steps = new Steps(parts, scope);
    symmetry = new Symmetry(parts.desks, scope.instances());
    world = new World(scope.instances());
    words = new int[World.words(scope.instances())];
    int takeovers = Math.min(MOST_TAKEOVERS, scope.faultsInAll());
    ticks = 2 * scope.ticksPerWindow() + 2 + TICKS_PER_TAKEOVER * takeovers;
    path = new long[ticks + 1];
  }

  boolean isStuck(World from) {
    world.set(from);
    for (int i = 0; i < ticks; i++) {
      path[i] = 0;
      if (world.messages <= Scope.MAX_IN_FLIGHT) {
        symmetry.apply(world);
        world.write(words, 0);
        path[i] = Hash.of(words, words.length);
        if (good.contains(path[i])) {
          return rememberGood(i);
        }
      }
      if (isAdmittedInTick()) {
        return rememberGood(i + 1);
      }
      steps.happens(world, Kind.TICK, 0);
    }
    return true;
  }

  private boolean rememberGood(int count) {
    for (int i = 0; i < count; i++) {
      if (path[i] != 0) {
        good.add(path[i]);
      }
    }
    return false;
  }

  private boolean isAdmittedInTick() {
    for (int round = 0; round < ROUNDS; round++) {
      while (world.messages > 0) {
        steps.happens(world, Kind.DELIVER, 0);
      }
      steps.happens(world, Kind.COMMIT, 0);
      while (world.messages > 0) {
        steps.happens(world, Kind.DELIVER, 0);
      }
      for (int i = 0; i < world.instances; i++) {
        while (steps.happens(world, Kind.END, i)) {
          // Each ends at once.
        }
        long asked = parts.books.askAnyway(world.books[i], world.tick);
        if (Automaton.output(asked) > 0) {
          return true;
        }
        world.books[i] = Automaton.state(asked);
        steps.happens(world, Kind.REPORT, i);
      }
    }
    return false;
  }
}
