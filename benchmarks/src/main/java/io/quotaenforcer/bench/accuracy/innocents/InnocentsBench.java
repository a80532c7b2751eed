package io.quotaenforcer.bench.accuracy.innocents;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Many users who come in visits, most of them below their limit, simulated.
 *
 * @param quick whether to simulate only as many users and as much time as every row needs
 */
public record InnocentsBench(boolean quick, long seed) {
  static final int USERS = 10_000;

  private static final int QUICK_USERS = 600;
  private static final double SECONDS = 600;
  private static final double QUICK_SECONDS = 20;

  /**
   * Runs the cases whose names are wanted.
   *
   * @param heard of each row, by any thread
   */
  public List<InnocentsRow> run(Predicate<String> wanted, Consumer<InnocentsRow> heard) {
    Simulation simulation = new Simulation(seed, quick ? QUICK_SECONDS : SECONDS);
    List<Case> cases = Case.all().stream().filter(each -> wanted.test(each.name())).toList();
    Map<Integer, Visits> visits = new HashMap<>();
    for (Case each : cases) {
      visits.computeIfAbsent(
          each.instances(), instances -> simulation.visits(quick ? QUICK_USERS : USERS, instances));
    }
    // Those that take longest first, so that no core is left with one at the end.
    Map<Case, InnocentsRow> rows =
        cases.stream()
            .sorted(Comparator.comparingInt(Case::instances).reversed())
            .toList()
            .parallelStream()
            .map(each -> simulation.run(each, Objects.requireNonNull(visits.get(each.instances()))))
            .peek(heard)
            .collect(Collectors.toMap(InnocentsRow::of, row -> row));
    return cases.stream().map(each -> Objects.requireNonNull(rows.get(each))).toList();
  }
}
