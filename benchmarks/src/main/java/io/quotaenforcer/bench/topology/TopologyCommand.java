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
          + " time; with --quick once."
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
      description = "How many times the usual number of records. Default: ${DEFAULT-VALUE}.")
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
      names = "--instances",
      paramLabel = "N",
      description = "Instances that report, for (c). Default: 4.")
  private @Nullable Integer instances;

  private record Figures(
      Machine machine,
      TopologyScale.Described configuration,
      Map<String, Object> plainCount,
      Map<String, Object> enforcer,
      List<CountingResult> counting,
      @JsonUnwrapped Targets targets) {}

  @Override
  protected void check() {
    scale();
  }

  @Override
  protected Object measure() throws Exception {
    TopologyScale scale = scale();
    Targets targets = new Targets();
    if (quick) {
      out().println("quick: compilers take a large part of it");
    }
    CountingFigures counting = count(scale);
    print(counting.describe());
    counting.addTo(targets);
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
        counting.results(),
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

  private TopologyScale scale() {
    TopologyScale base = quick ? TopologyScale.QUICK : TopologyScale.FULL;
    try {
      TopologyScale ofKeys = keys != null ? base.withKeys(keys) : base;
      return (instances != null ? ofKeys.withInstances(instances) : ofKeys).times(factor);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
