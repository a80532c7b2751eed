package io.quotaenforcer.bench.accuracy;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quotaenforcer.bench.accuracy.innocents.InnocentsBench;
import io.quotaenforcer.bench.accuracy.innocents.InnocentsRow;
import io.quotaenforcer.bench.accuracy.innocents.InnocentsText;
import io.quotaenforcer.bench.accuracy.real.RealBench;
import io.quotaenforcer.bench.accuracy.real.RealRow;
import io.quotaenforcer.bench.accuracy.real.RealText;
import io.quotaenforcer.bench.accuracy.real.Trials;
import io.quotaenforcer.bench.accuracy.scenario.Scenario;
import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.command.OnlyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quota bench accuracy}: over-admission and under-use of allotments and of other ways. */
@Command(
    name = "accuracy",
    description = {
      "Measures over-admission and under-use of allotments, and of other ways of deciding, under"
          + " the same load: simulated, and on a real broker and enforcer.",
      "Simulated rows that miss their target are listed; the exit code is 0 all the same."
    })
public final class AccuracyCommand extends Bench {
  private static final int QUICK_SEEDS = 3;
  private static final int QUICK_WINDOWS = 20;
  private static final double QUICK_SECONDS = 20;
  private static final int REAL_SECONDS = 10;
  private static final int QUICK_REAL_SECONDS = 3;

  @Option(
      names = "--mode",
      defaultValue = "both",
      paramLabel = "MODE",
      description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Mode mode = Mode.BOTH;

  @Option(
      names = "--quick",
      description =
          "Simulated: 3 seeds x 20 windows, of long windows only what 20 s hold, but 3 of them."
              + " Innocents: 600 of the 10,000 users, 20 s. Real: one scenario, 3 s.")
  private boolean quick;

  @Option(
      names = "--seeds",
      defaultValue = "20",
      paramLabel = "N",
      description = "Runs per simulated row. Default: ${DEFAULT-VALUE}.")
  private int seeds;

  @Option(
      names = "--windows",
      defaultValue = "100",
      paramLabel = "N",
      description = "Windows per simulated run, after two that warm up. Default: ${DEFAULT-VALUE}.")
  private int windows;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "How long a real row is measured, after two windows that warm up. Default: 10, or 3 with"
              + " --quick.")
  private @Nullable Integer seconds;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description =
          "What the requests of real rows and of innocents are drawn from. Default:"
              + " ${DEFAULT-VALUE}.")
  private long seed;

  @Mixin private final OnlyOption only = new OnlyOption();

  /** Whether to simulate, to run in real time, or both. */
  enum Mode {
    SIMULATED,
    REAL,
    BOTH;

    /** The word for it in options. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The figures to write.
   *
   * @param rows of all that was measured
   * @param shortOf what misses its target
   */
  private record Figures(List<Object> rows, @JsonProperty("short") List<Object> shortOf) {}

  private int realSeconds() {
    return seconds != null ? seconds : quick ? QUICK_REAL_SECONDS : REAL_SECONDS;
  }

  @Override
  protected void check() {
    require(
        seeds >= 1 && windows >= 1 && realSeconds() >= 1,
        "must be >= 1: --seeds=%d --windows=%d --seconds=%d",
        seeds,
        windows,
        realSeconds());
  }

  @Override
  protected Object measure() throws InterruptedException {
    List<Row> simulated = mode == Mode.REAL ? List.of() : simulate();
    List<Row> missed = simulated.stream().filter(row -> !row.missed().isEmpty()).toList();
    List<InnocentsRow> innocents = mode == Mode.REAL ? List.of() : simulateInnocents();
    if (!simulated.isEmpty()) {
      new RowsText(out()).print(simulated, missed);
    }
    if (!innocents.isEmpty()) {
      new InnocentsText(out()).print(innocents);
    }
    List<RealRow> real = mode == Mode.SIMULATED ? List.of() : measureReal();
    if (!real.isEmpty()) {
      new RealText(out()).print(real);
    }
    List<Object> rows = new ArrayList<>(simulated);
    rows.addAll(innocents);
    rows.addAll(real);
    List<Object> shortOf = new ArrayList<>(missed.stream().map(Row::shortOf).toList());
    innocents.forEach(row -> shortOf.addAll(row.missed()));
    return new Figures(rows, shortOf);
  }

  private List<Row> simulate() {
    Measurement measurement =
        quick
            ? new Measurement(QUICK_SEEDS, QUICK_WINDOWS, QUICK_SECONDS)
            : new Measurement(seeds, windows, Double.MAX_VALUE);
    List<Row> rows = new ArrayList<>();
    Scenario.all().stream()
        .filter(scenario -> only.wants(scenario.name()))
        .toList()
        .parallelStream()
        .map(measurement::run)
        .peek(some -> say("measured: " + some.get(0).scenario().name()))
        .toList()
        .forEach(rows::addAll);
    return rows;
  }

  private List<InnocentsRow> simulateInnocents() {
    return new InnocentsBench(quick, seed)
        .run(
            only::wants,
            row -> say("measured: %s, %s".formatted(row.of().name(), row.of().policy())));
  }

  private List<RealRow> measureReal() throws InterruptedException {
    return new RealBench(
            Trials.of(quick, only::wants, realSeconds(), seed),
            row ->
                say(
                    "measured: %s, %s"
                        .formatted(row.trial().scenario().name(), row.trial().policy().label())))
        .run();
  }
}
