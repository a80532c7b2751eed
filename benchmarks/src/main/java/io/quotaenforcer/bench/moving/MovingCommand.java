package io.quotaenforcer.bench.moving;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.limits.LimitKind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench moving}: limits that follow what there is, under load that moves. */
@Command(
    name = "moving",
    description = {
      "Classes of requests, simulated: two ask for three times the limit, then one that comes first"
          + " begins.",
      "Elastic limits, simulated: fifty users ask for half of their limit, ten for three times as"
          + " much, of a pool that is too small or suffices.",
      "Exit code 1 when a strict limit was passed."
    })
public final class MovingCommand extends Bench {
  /**
   * The fraction of the first class that must be served while those below ask for three times the
   * limit.
   */
  private static final double FIRST_SERVED = 0.99;

  /** Parts of what all ask for: one that is too little, and one that suffices. */
  private static final List<Double> POOLS = List.of(0.8, 1.2);

  private static final double POOL_USED = 0.98;
  private static final List<Enforcement> SHARED = List.of(Enforcement.STRICT, Enforcement.BALANCED);

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Of the times of requests. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "Only the scenarios of this name: classes, elastic. Default: all.")
  private Pattern only = Pattern.compile(".*");

  private record Figures(
      List<ClassRow> classes, List<ElasticRow> elastic, @JsonUnwrapped Targets targets) {}

  @Override
  protected Object measure() {
    Targets targets = new Targets();
    List<ClassRow> classes = only.matcher("classes").matches() ? classes(targets) : List.of();
    List<ElasticRow> elastic = only.matcher("elastic").matches() ? elastic(targets) : List.of();
    print(targets.describe());
    return new Figures(classes, elastic, targets);
  }

  private List<ClassRow> classes(Targets targets) {
    out().println(ClassRow.head());
    List<ClassRow> rows = new ArrayList<>();
    for (LimitKind kind : LimitKind.values()) {
      for (Enforcement enforcement : SHARED) {
        ClassRow row = new ClassScenario(kind, enforcement, seed).run();
        print(List.of(row.toString()));
        rows.add(row);
        judge(row, targets);
      }
    }
    return rows;
  }

  private List<ElasticRow> elastic(Targets targets) {
    out().println(ElasticRow.head());
    List<ElasticRow> rows = new ArrayList<>();
    for (LimitKind kind : LimitKind.values()) {
      for (Enforcement enforcement : SHARED) {
        for (double pool : POOLS) {
          ElasticRow row = new ElasticScenario(kind, enforcement, pool, seed).run();
          print(List.of(row.toString()));
          rows.add(row);
          judge(row, targets);
        }
      }
    }
    return rows;
  }

  private void judge(ElasticRow row, Targets targets) {
    String name =
        "elastic, pool of %.0f %%, %s, %s: "
            .formatted(100 * row.pool(), row.limit(), row.enforcement());
    targets.atLeast(name + "part served of users within their limit", row.within(), 0.9995);
    targets.atLeast(name + "part served of the worst user beyond it", row.least(), row.ownLimit());
    targets.atLeast(name + "part used of the pool", row.used(), POOL_USED);
    targets.atMost(name + "permits over", row.over(), 0);
    if (row.over() > 0) {
      fail();
    }
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
