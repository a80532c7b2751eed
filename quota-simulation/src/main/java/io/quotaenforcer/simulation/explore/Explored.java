package io.quotaenforcer.simulation.explore;

import java.util.List;

/**
 * Result of an exploration.
 *
 * @param isComplete whether every state within the scope was reached; else all were that are at
 *     most {@code depth} steps away
 * @param depth greatest distance of a state, in steps
 * @param states distinct states of the world
 * @param steps steps taken from them
 * @param bookStates distinct states of an allotment book
 * @param ledgerStates distinct states of the ledger
 * @param violation the broken promise; empty if all were kept
 * @param trace a shortest path to the violation, one line per step
 */
public record Explored(
    Scope scope,
    boolean isComplete,
    int depth,
    long states,
    long steps,
    int bookStates,
    int ledgerStates,
    String violation,
    List<String> trace) {
  public Explored {
    trace = List.copyOf(trace);
  }

  public boolean isKept() {
    return violation.isEmpty();
  }
}
