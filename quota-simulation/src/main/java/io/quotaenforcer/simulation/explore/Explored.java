package io.quotaenforcer.simulation.explore;

import java.util.List;

/**
 * What an exploration has found.
 *
 * @param isComplete whether every state within the scope was reached; else all were that are at
 *     most {@code depth} steps away
 * @param depth steps of the longest of the shortest ways to a state
 * @param states different states of the whole
 * @param steps steps that were taken from them
 * @param bookStates different states of an allotment book
 * @param ledgerStates different states of the ledger
 * @param violation the promise that was broken; empty when none was
 * @param trace a shortest way to the violation, a line per step
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
