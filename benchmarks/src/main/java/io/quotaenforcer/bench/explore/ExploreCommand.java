package io.quotaenforcer.bench.explore;

import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.simulation.explore.Exploration;
import io.quotaenforcer.simulation.explore.Explored;
import io.quotaenforcer.simulation.explore.Scope;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota bench explore}: the promises in every order of steps of a small world. */
@Command(
    name = "explore",
    description = {
      "Takes the ledger and allotments through every order of steps and faults of a small world, and"
          + " checks the promises in each state.",
      "Exit code 1 when one was broken; the shortest way to it is printed."
    })
public final class ExploreCommand implements Callable<Integer> {
  private static final double NANOS_PER_SECOND = 1e9;

  private static final int SECONDS_PER_MINUTE = 60;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

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

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    if (minutes < 1) {
      throw new CommandException(ExitCode.USAGE, "must be >= 1: --minutes=" + minutes);
    }
    json.check();
    HeapBudget heap = HeapBudget.ofThisProcess();
    List<Map<String, Object>> explored = new ArrayList<>();
    long states = 0;
    long violations = 0;
    for (Scope scope : scopes.all()) {
      long started = System.nanoTime();
      Explored one =
          new Exploration(
                  scope,
                  soFar ->
                      secondsSince(started) < minutes * SECONDS_PER_MINUTE
                          && heap.hasRoomFor(soFar))
              .run();
      print(one, secondsSince(started));
      explored.add(toJson(one, secondsSince(started)));
      states += one.states();
      violations += one.isKept() ? 0 : 1;
    }
    out().println("%,d states, %d violations".formatted(states, violations));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("states", states);
    all.put("violations", violations);
    all.put("explored", explored);
    json.write(() -> all);
    return violations == 0 ? ExitCode.DONE : ExitCode.FAILED;
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

  private static Map<String, Object> toJson(Explored explored, double seconds) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("scope", explored.scope().toString());
    json.put("complete", explored.isComplete());
    json.put("depth", explored.depth());
    json.put("states", explored.states());
    json.put("steps", explored.steps());
    json.put("bookStates", explored.bookStates());
    json.put("ledgerStates", explored.ledgerStates());
    json.put("seconds", seconds);
    json.put("violations", explored.isKept() ? 0 : 1);
    json.put("violation", explored.violation());
    json.put("trace", explored.trace());
    return json;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / NANOS_PER_SECOND;
  }
}
