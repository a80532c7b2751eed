package io.quotaenforcer.bench.moving;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.limits.LimitKind;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench moving}: limits that follow what there is, under load that moves. */
@Command(
    name = "moving",
    description = {
      "Classes of requests, simulated: two ask for three times the limit, then one that comes first"
          + " begins.",
      "Exit code 1 when a strict limit was passed."
    })
public final class MovingCommand extends Bench {
  /** Of the first class, what must be served while those below ask for three times the limit. */
  private static final double FIRST_SERVED = 0.99;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Of the times of requests. Default: ${DEFAULT-VALUE}.")
  private long seed;

  private record Figures(List<ClassRow> classes, @JsonUnwrapped Targets targets) {}

  @Override
  protected Object measure() {
    out().println(ClassRow.head());
    List<ClassRow> rows = new ArrayList<>();
    Targets targets = new Targets();
    for (LimitKind kind : LimitKind.values()) {
      for (Enforcement enforcement : List.of(Enforcement.STRICT, Enforcement.BALANCED)) {
        ClassRow row = new ClassScenario(kind, enforcement, seed).run();
        print(List.of(row.toString()));
        rows.add(row);
        judge(row, targets);
      }
    }
    print(targets.describe());
    return new Figures(rows, targets);
  }

  private void judge(ClassRow row, Targets targets) {
    String name = row.limit() + ", " + row.enforcement() + ": ";
    targets.atLeast(name + "part of the first class that is served", row.critical(), FIRST_SERVED);
    targets.atMost(name + "permits over", row.over(), 0);
    if (row.over() > 0) {
      fail();
    }
  }
}
