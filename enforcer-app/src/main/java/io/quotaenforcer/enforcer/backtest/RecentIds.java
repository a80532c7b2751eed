package io.quotaenforcer.enforcer.backtest;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/** Remembers the last ids that it was given. */
final class RecentIds {
  static final int REMEMBERED = 200_000;

  private final Set<String> known = new HashSet<>();
  private final Queue<String> inOrder = new ArrayDeque<>();

  /** Remembers an id; false if it is among the last {@value #REMEMBERED}. */
  boolean add(String id) {
    if (!known.add(id)) {
      return false;
    }
    inOrder.add(id);
    if (inOrder.size() > REMEMBERED) {
      known.remove(inOrder.remove());
    }
    return true;
  }
}
