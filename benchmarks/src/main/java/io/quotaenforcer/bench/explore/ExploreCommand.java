package io.quotaenforcer.bench.explore;

import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.command.OnlyOption;
import io.quotaenforcer.simulation.explore.Exploration;
import io.quotaenforcer.simulation.explore.Explored;
import io.quotaenforcer.simulation.explore.Scope;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quota bench explore}: the promises in every order of steps of a small world. */
@Command(
    name = "explore",
    description = {
      "Takes the ledger and allotments through every order of steps and faults of a small world, and"
          + " checks the promises in each state.",
      "Exit code 1 when one was broken; the shortest way to it is printed."
    })
public final class ExploreCommand extends Bench {
  private static final double NANOS_PER_SECOND = 1e9;

  private static final int SECONDS_PER_MINUTE = 60;

  @Option(
      names = "--scope",
      defaultValue = "MIDDLE",
      paramLabel = "SCOPE",
      description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Scopes scopes = Scopes.MIDDLE;

  @Option(
      names = "--minutes",
      defaultValue = "10",
      paramLabel = "N",
      description =
          "Longest time for each scope; what is not complete by then, or when the heap is full, is"
              + " to a depth. Default: ${DEFAULT-VALUE}.")
  private int minutes;

  @Mixin private final OnlyOption only = new OnlyOption();

  /** The exploration of one scope. */
  private record Row(
      String scope,
      boolean complete,
      int depth,
      long states,
      long steps,
      int bookStates,
      int ledgerStates,
      double seconds,
      int violations,
      String violation,
      List<String> trace) {
    static Row of(Explored explored, double seconds) {
      return new Row(
          explored.scope().toString(),
          explored.isComplete(),
          explored.depth(),
          explored.states(),
          explored.steps(),
          explored.bookStates(),
          explored.ledgerStates(),
          seconds,
          explored.isKept() ? 0 : 1,
          explored.violation(),
          explored.trace());
    }
  }

  private record Figures(long states, long violations, List<Row> explored) {}

  @Override
  protected void check() {
    require(minutes >= 1, "must be >= 1: --minutes=%d", minutes);
  }

  @Override
  protected Object measure() {
    HeapBudget heap = HeapBudget.ofThisProcess();
    List<Row> explored = new ArrayList<>();
    for (Scope scope : scopes.all()) {
      if (!only.wants(scope.toString())) {
        continue;
      }
      long started = System.nanoTime();
      Explored one =
          new Exploration(
                  scope,
                  soFar ->
                      secondsSince(started) < minutes * SECONDS_PER_MINUTE
                          && heap.hasRoomFor(soFar))
              .run();
      print(one, secondsSince(started));
      explored.add(Row.of(one, secondsSince(started)));
    }
    long states = explored.stream().mapToLong(Row::states).sum();
    long violations = explored.stream().mapToLong(Row::violations).sum();
    out().println("%,d states, %d violations".formatted(states, violations));
    if (violations > 0) {
      fail();
    }
    return new Figures(states, violations, explored);
  }

  private void print(Explored explored, double seconds) {
    PrintWriter out = out();
    out.println(explored.scope());
    out.println(
        "  %s, %,d states, %,d steps, %.0f s: %s"
            .formatted(
                explored.isComplete()
                    ? "complete at depth " + explored.depth()
                    : "complete to depth " + explored.depth(),
                explored.states(),
                explored.steps(),
                seconds,
                explored.isKept() ? "0 violations" : explored.violation()));
    explored.trace().forEach(line -> out.println("  " + line));
    out.flush();
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / NANOS_PER_SECOND;
  }
}
