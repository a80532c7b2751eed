package io.quotaenforcer.bench.moving;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.adapt.OverloadText;
import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.bench.moving.real.RealRow;
import io.quotaenforcer.bench.moving.real.RealRows;
import io.quotaenforcer.bench.moving.real.RealScale;
import io.quotaenforcer.bench.moving.scenario.ClassRow;
import io.quotaenforcer.bench.moving.scenario.ElasticRow;
import io.quotaenforcer.bench.moving.scenario.PenaltyRow;
import io.quotaenforcer.bench.moving.scenario.SlotRow;
import io.quotaenforcer.simulation.overload.OverloadRow;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench moving}: limits that follow what there is, under load that moves. */
@Command(
    name = "moving",
    description = {
      "Classes of requests: two ask for three times the limit, then one that comes first begins.",
      "Elastic limits: fifty users ask for half of their limit, ten for three times as much, of a"
          + " pool that is too small or suffices.",
      "Slots: twice the demand, and an instance that is killed.",
      "Penalties: a password that is guessed at through a hundred instances. Adaptive: limits that"
          + " follow the load of a service in trouble. Both are simulated only.",
      "Simulated, or in real time with a broker, an enforcer and admission clients in this"
          + " process, of strict limits of three kinds. Exit code 1 when a strict limit was passed."
    })
public final class MovingCommand extends Bench {
  private static final String CLASSES = "classes";
  private static final String ELASTIC = "elastic";
  private static final String SLOTS = "slots";
  private static final String PENALTIES = "penalties";
  private static final String ADAPTIVE = "adaptive";

  /** Percent; in real time, where callers wait for longer, nobody may be. */
  private static final double SIMULATED_TURNED_AWAY = 0.05;

  @Option(
      names = "--mode",
      defaultValue = "simulated",
      paramLabel = "MODE",
      description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Mode mode = Mode.SIMULATED;

  @Option(
      names = "--quick",
      description = "In real time: one kind of limit, one pool, few seconds.")
  private boolean quick;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Of the times of requests. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description =
          "Only the scenarios of this name: classes, elastic, slots, penalties, adaptive. Default: all.")
  private Pattern only = Pattern.compile(".*");

  /** Whether to simulate, to run in real time, or both. */
  enum Mode {
    SIMULATED,
    REAL,
    ALL;

    /** The word for it in options. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private record Figures(
      List<ClassRow> classes,
      List<ElasticRow> elastic,
      List<SlotRow> slots,
      List<PenaltyRow> penalties,
      List<OverloadRow> adaptive,
      Real real,
      @JsonUnwrapped Targets targets) {}

  private record Real(
      List<RealRow<ClassRow>> classes,
      List<RealRow<ElasticRow>> elastic,
      List<RealRow<SlotRow>> slots) {}

  /** Rows of one kind of scenario; each is told as it is measured. */
  @FunctionalInterface
  private interface Rows<T> {
    List<T> measure(Consumer<T> progress) throws Exception;
  }

  @FunctionalInterface
  private interface Judged<T> {
    boolean isKept(T row);
  }

  @Override
  protected void check() {
    List<String> names =
        mode == Mode.REAL
            ? List.of(CLASSES, ELASTIC, SLOTS)
            : List.of(CLASSES, ELASTIC, SLOTS, PENALTIES, ADAPTIVE);
    require(
        names.stream().anyMatch(name -> only.matcher(name).matches()),
        "must match one of %s with --mode=%s%s: --only=%s",
        names,
        mode,
        mode == Mode.REAL ? " (others are simulated)" : "",
        only);
  }

  @Override
  protected Object measure() throws Exception {
    Targets targets = new Targets();
    boolean simulates = mode != Mode.REAL;
    SimulatedRows simulated = new SimulatedRows(seed);
    MovingTargets ofSimulated = new MovingTargets(targets, "", SIMULATED_TURNED_AWAY);
    List<ClassRow> classes =
        rows(simulates, CLASSES, ClassRow.head(), simulated::classes, ofSimulated::judge);
    List<ElasticRow> elastic =
        rows(simulates, ELASTIC, ElasticRow.head(), simulated::elastic, ofSimulated::judge);
    List<SlotRow> slots =
        rows(simulates, SLOTS, SlotRow.head(), simulated::slots, ofSimulated::judge);
    List<PenaltyRow> penalties =
        rows(simulates, PENALTIES, PenaltyRow.head(), simulated::penalties, ofSimulated::judge);
    List<OverloadRow> adaptive =
        rows(simulates, ADAPTIVE, OverloadText.head(), simulated::adaptive, ofSimulated::judge);
    Real real = real(new MovingTargets(targets, "real ", 0));
    print(targets.describe());
    return new Figures(classes, elastic, slots, penalties, adaptive, real, targets);
  }

  private Real real(MovingTargets targets) throws Exception {
    boolean runs = mode != Mode.SIMULATED;
    RealRows real = new RealRows(quick ? RealScale.QUICK : RealScale.FULL, seed);
    return new Real(
        rows(
            runs,
            CLASSES,
            RealRow.head(ClassRow.head()),
            real::classes,
            row -> targets.judge(row.row())),
        rows(
            runs,
            ELASTIC,
            RealRow.head(ElasticRow.head()),
            real::elastic,
            row -> targets.judge(row.row())),
        rows(
            runs,
            SLOTS,
            RealRow.head(SlotRow.head()),
            real::slots,
            row -> targets.judge(row.row())));
  }

  private <T> List<T> rows(boolean runs, String name, String head, Rows<T> rows, Judged<T> judged)
      throws Exception {
    if (!runs || !only.matcher(name).matches()) {
      return List.of();
    }
    print(List.of(head));
    return rows.measure(
        row -> {
          print(List.of(row instanceof OverloadRow it ? OverloadText.line(it) : row.toString()));
          if (!judged.isKept(row)) {
            fail();
          }
        });
  }
}
