package io.quotaenforcer.bench.topology;

import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.cli.text.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How fast each counts, and how that compares. */
final class CountingFigures {
  private static final double MUST_EVENTS = 0.5;
  private static final double MUST_UPDATES = 1.5;
  private static final double MUST_REQUESTS = 150;
  private static final double MUST_HOT = 0.7;
  private static final double MUST_GRANT = 0.9;

  private final List<CountingResult> results;

  /**
   * @param results of which those of one counter and load count together
   */
  CountingFigures(List<CountingResult> results) {
    Map<List<Object>, CountingResult> together = new LinkedHashMap<>();
    for (CountingResult result : results) {
      together.merge(List.of(result.counter(), result.load()), result, CountingResult::withRun);
    }
    this.results = List.copyOf(together.values());
  }

  List<CountingResult> results() {
    return results;
  }

  /** Adds the targets whose counters were run. */
  void addTo(Targets targets) {
    for (Load load : Load.values()) {
      of(Counter.PLAIN, load)
          .ifPresent(
              plain -> {
                compare(targets, Counter.EVENTS, load, plain, MUST_EVENTS);
                compare(targets, Counter.REPORTS, load, plain, MUST_UPDATES);
                of(Counter.REPORTS, load)
                    .ifPresent(
                        ours ->
                            targets.atLeast(
                                "(c) requests per second to (a), " + load,
                                ours.requestsPerSecond() / plain.requestsPerSecond(),
                                MUST_REQUESTS));
              });
    }
    for (Counter counter : List.of(Counter.EVENTS, Counter.REPORTS)) {
      of(counter, Load.UNIFORM)
          .ifPresent(
              even ->
                  of(counter, Load.ONE_HOT_KEY)
                      .ifPresent(
                          hot ->
                              targets.atLeast(
                                  counter + ", nine tenths on one key to uniform",
                                  hot.unitsPerSecond() / even.unitsPerSecond(),
                                  MUST_HOT)));
    }
    for (CountingResult result : results) {
      if (result.counter() != Counter.PLAIN) {
        targets.atLeast(
            "%s, %s: permits counted to those there were"
                .formatted(result.counter(), result.load()),
            (double) result.countedPermits() / result.input().inputPermits(),
            1);
        targets.atLeast(
            "%s, %s: newest answers that grant or renew".formatted(result.counter(), result.load()),
            result.grantingAnswers(),
            MUST_GRANT);
        targets.atMost(
            "%s, %s: answers lost".formatted(result.counter(), result.load()),
            result.answersLost(),
            0);
      }
    }
  }

  private void compare(
      Targets targets, Counter counter, Load load, CountingResult plain, double must) {
    of(counter, load)
        .ifPresent(
            ours ->
                targets.atLeast(
                    "%s per second to (a) events, %s".formatted(counter.unitOf(), load),
                    ours.unitsPerSecond() / plain.unitsPerSecond(),
                    must));
  }

  List<String> describe() {
    TextTable table =
        TextTable.ofFigures(
            "counter, load",
            "a second",
            "to (a)",
            "requests/s",
            "a record",
            "us of counter",
            "us of broker",
            "s measured");
    for (CountingResult result : results) {
      String ratio =
          of(Counter.PLAIN, result.load())
              .map(plain -> "%.2f".formatted(result.unitsPerSecond() / plain.unitsPerSecond()))
              .orElse("-");
      table.row(
          "%s, %s".formatted(result.counter(), result.load()),
          "%,.0f %s".formatted(result.unitsPerSecond(), result.counter().unit()),
          ratio,
          "%,.0f".formatted(result.requestsPerSecond()),
          "%,.0f".formatted((double) result.input().inputUnits() / result.input().inputRecords()),
          "%.1f".formatted(result.applicationMicrosPerUnit()),
          "%.1f".formatted(result.brokerMicrosPerUnit()),
          "%.1f".formatted(result.measured().seconds()));
    }
    return new ArrayList<>(table.lines());
  }

  private Optional<CountingResult> of(Counter counter, Load load) {
    return results.stream()
        .filter(result -> result.counter() == counter && result.load() == load)
        .findFirst();
  }
}
