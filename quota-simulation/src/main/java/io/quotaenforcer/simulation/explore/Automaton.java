package io.quotaenforcer.simulation.explore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The states of one part of the world, numbered as they are met. The part itself is mutable real
 * code: its behaviour in a state is found once, by replaying the inputs that first led there, and
 * remembered. So the product of the parts is explored over numbers.
 */
abstract class Automaton<P> {
  private static final int INPUT_BITS = 40;
  private static final int ROOT = -1;

  private final Map<Fingerprint, Integer> numbers = new HashMap<>();
  private final LongMap known = new LongMap();
  private int[] parents = new int[1 << 10];
  private long[] inputs = new long[1 << 10];

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
    P part = replay(state);
    int output = step(part, input);
    long result = ((long) number(part, state, input) << 32) | output;
    known.put(key, result);
    return result;
  }

  static int state(long after) {
    return (int) (after >>> 32);
  }

  static int output(long after) {
    return (int) after;
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
