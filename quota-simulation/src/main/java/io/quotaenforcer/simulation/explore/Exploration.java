package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.simulation.explore.Step.Kind;
import java.util.List;
import java.util.function.Predicate;

/**
 * Breadth-first search through every state within a {@link Scope}. States are told apart by a
 * 64-bit hash of the numbers of their parts' states, and these by a 128-bit hash of everything the
 * real objects hold: among a hundred million states the probability of a collision is one in four
 * thousand.
 *
 * <p>Checked in every state: no permit was admitted that the algorithm, run over all admissions in
 * one process, would not have admitted; none was counted twice. Checked after every tick: that the
 * world is not {@linkplain Calm stuck}.
 */
public final class Exploration {
  private static final int STATES_BETWEEN_LOOKS = 1 << 14;

  private final Scope scope;
  private final Predicate<Explored> goesOn;
  private final Parts parts;
  private final Steps steps;
  private final Symmetry symmetry;
  private final Calm calm;
  private final LongSet seen = new LongSet();
  private final Ancestry ancestry = new Ancestry();
  private final World from;
  private final World to;
  private final int[] words;
  private int depth;
  private long taken;
  private String violation = "";
  private Worlds next;

  /**
   * Prepares an exploration.
   *
   * @param goesOn receives the findings from time to time, and decides whether to go on
   */
  public Exploration(Scope scope, Predicate<Explored> goesOn) {
    this.scope = scope;
    this.goesOn = goesOn;
    parts = new Parts(scope);
    steps = new Steps(parts, scope);
    symmetry = new Symmetry(parts.desks, scope.instances());
    calm = new Calm(parts, scope);
    from = new World(scope.instances());
    to = new World(scope.instances());
    words = new int[World.words(scope.instances())];
    next = new Worlds(scope.instances());
  }

  /** Explores the whole scope, or to the first violation. */
  public Explored run() {
    to.set(parts.first(scope.instances()));
    symmetry.apply(to);
    keep(0, new Step(Kind.TICK, 0).code());
    boolean goOn = true;
    while (next.size() > 0 && violation.isEmpty() && goOn) {
      Worlds level = next;
      next = new Worlds(scope.instances());
      int first = ancestry.size() - level.size();
      for (int i = 0; i < level.size() && violation.isEmpty() && goOn; i++) {
        level.get(i, from);
        int parent = first + i;
        Steps.offer(from, (kind, of) -> take(parent, kind, of));
        goOn = i % STATES_BETWEEN_LOOKS != 0 || goesOn.test(found(false));
      }
      depth += next.size() > 0 && goOn ? 1 : 0;
    }
    return found(goOn && violation.isEmpty());
  }

  private void take(int parent, Kind kind, int of) {
    if (!violation.isEmpty()) {
      return;
    }
    to.set(from);
    if (!steps.take(to, kind, of)) {
      return;
    }
    taken++;
    violation = steps.violation();
    boolean isStuck = violation.isEmpty() && isChecked(kind) && calm.isStuck(to);
    if (isStuck) {
      violation = "stuck: nothing goes wrong any more, and no permit is admitted";
    }
    if (!violation.isEmpty()) {
      ancestry.add(parent, new Step(kind, of).code());
      return;
    }
    symmetry.apply(to);
    keep(parent, new Step(kind, of).code());
  }

  /** Every state leads, if nothing goes wrong, to one that is checked. */
  private boolean isChecked(Kind kind) {
    return kind == Kind.TICK || to.tick == scope.lastTick();
  }

  private void keep(int parent, int step) {
    to.write(words, 0);
    if (seen.add(Hash.of(words, words.length))) {
      ancestry.add(parent, step);
      next.add(words);
    }
  }

  private Explored found(boolean isComplete) {
    boolean broken = !violation.isEmpty();
    return new Explored(
        scope,
        isComplete,
        broken ? depth + 1 : depth,
        ancestry.size(),
        taken,
        parts.books.size(),
        parts.desks.size(),
        violation,
        broken ? new Trace(parts, scope).lines(ancestry.path(ancestry.size() - 1)) : List.of());
  }
}
