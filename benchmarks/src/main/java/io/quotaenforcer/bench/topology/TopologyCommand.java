package io.quotaenforcer.bench.topology;

import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
public final class TopologyCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

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

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws Exception {
    TopologyScale scale = scale();
    json.check();
    if (mostKeys < 1 || mostKeys > 100_000_000) {
      throw new CommandException(
          ExitCode.USAGE, "must be from 1 to 100000000: --most-keys=" + mostKeys);
    }
    Map<String, Object> all = configuration(scale);
    Targets targets = new Targets();
    PrintWriter out = spec.commandLine().getOut();
    if (quick) {
      out.println("quick: compilers take a large part of it");
    }
    if (parts.contains(Part.COUNTING)) {
      CountingFigures figures = count(scale);
      figures.describe().forEach(out::println);
      figures.addTo(targets);
      all.put("counting", figures.results().stream().map(CountingResult::toJson).toList());
    }
    if (parts.contains(Part.GROWTH)) {
      GrowthFigures figures = grow();
      figures.describe().forEach(out::println);
      figures.addTo(targets);
      all.put("growth", figures.results().stream().map(GrowthResult::toJson).toList());
    }
    targets.describe().forEach(out::println);
    out.flush();
    targets.writeTo(all);
    json.write(() -> all);
    return ExitCode.DONE;
  }

  private CountingFigures count(TopologyScale scale) throws Exception {
    CountingRun run = new CountingRun(scale, this::progress);
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
    GrowthRun run = new GrowthRun(this::progress);
    List<GrowthResult> results = new ArrayList<>();
    for (GrowthPoint point : quick ? GrowthPoint.quick() : GrowthPoint.full(mostKeys)) {
      results.add(run.run(point));
    }
    return new GrowthFigures(results);
  }

  private void progress(String what) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(what);
    err.flush();
  }

  private TopologyScale scale() {
    TopologyScale base = quick ? TopologyScale.QUICK : TopologyScale.FULL;
    try {
      return (keys != null ? base.withKeys(keys) : base).times(factor);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, Object> configuration(TopologyScale scale) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put(
        "machine",
        Map.of(
            "java", Runtime.version().toString(),
            "cores", Runtime.getRuntime().availableProcessors()));
    all.put("configuration", scale.toJson());
    all.put(
        "plainCount",
        Map.of(
            "cacheMebibytes", TopologyScale.PLAIN_CACHE_MEBIBYTES,
            "window", "tumbling, 1 s, no grace",
            "otherwise", "Kafka Streams' defaults"));
    all.put(
        "enforcer",
        Map.of(
            "rocksdbMebibytes", TopologyScale.ROCKSDB_MEBIBYTES,
            "rule", "sliding window, 1 s",
            "otherwise", "the enforcer's defaults"));
    return all;
  }
}
