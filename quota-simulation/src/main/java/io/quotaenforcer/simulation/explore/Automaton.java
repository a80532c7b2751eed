package io.quotaenforcer.simulation.explore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The states of one part of the world, numbered as they are met. The part itself is mutable real
 * code: its behaviour in a state is found once, by replaying the inputs that first led there, and
 * remembered. So the product of the parts is explored over numbers. Parts that have just reached a
 * state are kept for a while, since the next step is often one of theirs.
 */
abstract class Automaton<P> {
  private static final int INPUT_BITS = 40;
  private static final int ROOT = -1;

  /** Parts kept at once; a power of two. */
  private static final int KEPT = 1 << 10;

  private final Map<Fingerprint, Integer> numbers = new HashMap<>();
  private final LongMap known = new LongMap();
  private int[] parents = new int[1 << 10];
  private long[] inputs = new long[1 << 10];

  /** A part in a state that it has just reached. */
  private record Reached<P>(int state, P part) {}

  private final List<@Nullable Reached<P>> reached =
      new ArrayList<>(Collections.nCopies(KEPT, null));

  /** The part as it begins. */
  abstract P begin(int root);

  /** Lets the part take an input; returns what comes out, as a number that is not negative. */
  abstract int step(P part, long input);

  abstract Fingerprint fingerprint(P part);

  /** A part in a new state, which has just received the next number. */
  void numbered(P part) {}

  /** The state of a part that begins. */
  final int root(int root) {
    return number(begin(root), ROOT, root);
  }

  /**
   * Next state and output for an input, to be taken apart by {@link #state} and {@link #output}.
   */
  final long after(int state, long input) {
    long key = ((long) (state + 1) << INPUT_BITS) | input;
    long before = known.get(key);
    if (before != LongMap.ABSENT) {
      return before;
    }
    P part = part(state);
    int output = step(part, input);
    int next = number(part, state, input);
    reached.set(next & (KEPT - 1), new Reached<>(next, part));
    long result = ((long) next << 32) | output;
    known.put(key, result);
    return result;
  }

  static int state(long after) {
    return (int) (after >>> 32);
  }

  static int output(long after) {
    return (int) after;
  }

  /** A part in a state, for the caller alone. */
  private P part(int state) {
    Reached<P> last = reached.set(state & (KEPT - 1), null);
    return last != null && last.state == state ? last.part : replay(state);
  }

  /** The part in a state. */
  final P replay(int state) {
    List<Long> steps = new ArrayList<>();
    int at = state;
    while (parents[at] != ROOT) {
      steps.add(inputs[at]);
      at = parents[at];
    }
    P part = begin((int) inputs[at]);
    for (int i = steps.size() - 1; i >= 0; i--) {
      step(part, steps.get(i));
    }
    return part;
  }

  final boolean isRoot(int state) {
    return parents[state] == ROOT;
  }

  final int parent(int state) {
    return parents[state];
  }

  /** The input that first led to a state from its parent. */
  final long input(int state) {
    return inputs[state];
  }

  final int size() {
    return numbers.size();
  }

  private int number(P part, int parent, long input) {
    int next = numbers.size();
    Integer before = numbers.putIfAbsent(fingerprint(part), next);
    if (before != null) {
      return before;
    }
    if (next == parents.length) {
      parents = Arrays.copyOf(parents, 2 * next);
      inputs = Arrays.copyOf(inputs, 2 * next);
    }
    parents[next] = parent;
    inputs[next] = input;
    numbered(part);
    return next;
  }
}
