package io.quotaenforcer.bench.topology;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.figures.Machine;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench topology}: how fast the enforcer counts, beside a plain count. */
@Command(
    name = "topology",
    description = {
      "Measures how fast requests are counted: (a) one event per request by a windowed count with"
          + " the DSL of Kafka Streams, as a user would write it; (b) the same by an enforcer; (c)"
          + " by an enforcer that gets usage reports as admission clients make them, grants and"
          + " answers.",
      "A broker in this process, what counts in a process of its own with "
          + TopologyScale.HEAP_MEBIBYTES
          + " MiB of heap, exactly_once_v2, a commit every "
          + TopologyScale.COMMIT_MILLIS
          + " ms, "
          + TopologyScale.PARTITIONS
          + " partitions and "
          + TopologyScale.THREADS
          + " stream threads. All input is written before; the first half of it warms up.",
      "(a) is run before the others and after them, since machines are not equally quick all the"
          + " time; with --quick once.",
      "Then (c) with more keys, and with more instances: what an update costs, and how much is sent."
          + " Needs a JDK, for jcmd."
    })
public final class TopologyCommand extends Bench {
  @Option(
      names = "--quick",
      description = "A tenth of the keys and fewer records: compilers are not done with it.")
  private boolean quick;

  @Option(names = "--keys", paramLabel = "N", description = "Quota keys.")
  private @Nullable Integer keys;

  @Option(
      names = "--scale",
      defaultValue = "1",
      paramLabel = "F",
      description = "So many times the records. Default: ${DEFAULT-VALUE}.")
  private double factor;

  @Option(
      names = "--counters",
      split = ",",
      paramLabel = "NAME",
      description = "Some of ${COMPLETION-CANDIDATES}. Default: all.")
  private List<Counter> counters = List.of(Counter.values());

  @Option(
      names = "--loads",
      split = ",",
      paramLabel = "NAME",
      description = "Some of ${COMPLETION-CANDIDATES}. Default: all; with --quick, UNIFORM.")
  private @Nullable List<Load> loads;

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "NAME",
      description = "Some of ${COMPLETION-CANDIDATES}. Default: all.")
  private List<Part> parts = List.of(Part.values());

  @Option(
      names = "--most-keys",
      defaultValue = "1000000",
      paramLabel = "N",
      description =
          "Keys of the largest store, from 10,000 on ten times as many each time; 10000000 takes"
              + " long. Default: ${DEFAULT-VALUE}.")
  private int mostKeys;

  /** What is measured. */
  enum Part {
    COUNTING,
    GROWTH
  }

  private record Figures(
      Machine machine,
      TopologyScale.Described configuration,
      Map<String, Object> plainCount,
      Map<String, Object> enforcer,
      @Nullable List<CountingResult> counting,
      @Nullable List<GrowthResult> growth,
      @JsonUnwrapped Targets targets) {}

  @Override
  protected void check() {
    require(
        mostKeys >= 1 && mostKeys <= 100_000_000,
        "must be from 1 to 100000000: --most-keys=%d",
        mostKeys);
    scale();
  }

  @Override
  protected Object measure() throws Exception {
    TopologyScale scale = scale();
    Targets targets = new Targets();
    if (quick) {
      out().println("quick: compilers take a large part of it");
    }
    CountingFigures counting = parts.contains(Part.COUNTING) ? count(scale) : null;
    if (counting != null) {
      print(counting.describe());
      counting.addTo(targets);
    }
    GrowthFigures growth = parts.contains(Part.GROWTH) ? grow() : null;
    if (growth != null) {
      print(growth.describe());
      growth.addTo(targets);
    }
    print(targets.describe());
    return new Figures(
        Machine.here(),
        scale.describe(),
        Map.of(
            "cacheMebibytes", TopologyScale.PLAIN_CACHE_MEBIBYTES,
            "window", "tumbling, 1 s, no grace",
            "otherwise", "Kafka Streams' defaults"),
        Map.of(
            "rocksdbMebibytes", TopologyScale.ROCKSDB_MEBIBYTES,
            "rule", "sliding window, 1 s",
            "otherwise", "the enforcer's defaults"),
        counting == null ? null : counting.results(),
        growth == null ? null : growth.results(),
        targets);
  }

  private CountingFigures count(TopologyScale scale) throws Exception {
    CountingRun run = new CountingRun(scale, this::say);
    List<CountingResult> results = new ArrayList<>();
    Set<Counter> each = EnumSet.copyOf(counters);
    for (Load load : EnumSet.copyOf(loads())) {
      for (Counter counter : each) {
        results.add(run.run(counter, load));
      }
      if (!quick && each.size() > 1 && each.contains(Counter.PLAIN)) {
        results.add(run.run(Counter.PLAIN, load));
      }
    }
    return new CountingFigures(results);
  }

  private List<Load> loads() {
    if (loads != null) {
      return loads;
    }
    return quick ? List.of(Load.UNIFORM) : List.of(Load.values());
  }

  private GrowthFigures grow() throws Exception {
    GrowthRun run = new GrowthRun(this::say);
    List<GrowthResult> results = new ArrayList<>();
    for (GrowthPoint point : quick ? GrowthPoint.quick() : GrowthPoint.full(mostKeys)) {
      results.add(run.run(point));
    }
    return new GrowthFigures(results);
  }

  private TopologyScale scale() {
    TopologyScale base = quick ? TopologyScale.QUICK : TopologyScale.FULL;
    try {
      return (keys != null ? base.withKeys(keys) : base).times(factor);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
