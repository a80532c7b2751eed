package io.quotaenforcer.bench.sparse;

import io.quotaenforcer.bench.options.JsonOption;
import io.quotaenforcer.bench.options.OnlyOption;
import io.quotaenforcer.enforcer.ExitCode;
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

/** {@code quota bench sparse}: the price of many clients with small limits. */
@Command(
    name = "sparse",
    description = {
      "Measures what many users with small limits cost: 1,000,000 users, 10 permits per minute each,"
          + " 100 instances, each request at any of them.",
      "One of 16 partitions is simulated, with all of its 62,500 users. Simulated: one way 10 ms, a"
          + " commit every 20 ms."
    })
public final class SparseCommand implements Callable<Integer> {
  private static final int WARM_UP_SECONDS = 60;
  private static final int SECONDS = 60;
  private static final int QUICK_WARM_UP_SECONDS = 2;
  private static final int QUICK_SECONDS = 6;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--quick",
      description =
          "6 s after 2 s rather than a minute after one: less than a period, so that over-admission"
              + " and ledger rows are smaller than they become.")
  private boolean quick;

  @Mixin private final OnlyOption only = new OnlyOption();

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "What requests and delays are drawn from. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    json.check();
    int warmUp = quick ? QUICK_WARM_UP_SECONDS : WARM_UP_SECONDS;
    int seconds = quick ? QUICK_SECONDS : SECONDS;
    PrintWriter err = spec.commandLine().getErr();
    List<SparseResult> results = new ArrayList<>();
    for (SparseScenario scenario : SparseScenario.all()) {
      if (!only.wants(scenario.name())) {
        continue;
      }
      long started = System.nanoTime();
      results.add(new SparseRun(scenario, seed).run(warmUp, seconds));
      err.println(
          "measured: %s, %d s, in %.0f s"
              .formatted(scenario.name(), seconds, (System.nanoTime() - started) / 1e9));
      err.flush();
    }
    List<LedgerGrowth> growth = LedgerGrowth.measure(seed);
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        "%,d users, %,d of them sampled (one partition of %d), %d instances, seed %d; %d s after %d s"
            .formatted(
                SparseScenario.USERS,
                SparseScenario.USERS_SAMPLED,
                SparseScenario.PARTITIONS,
                SparseScenario.INSTANCES,
                seed,
                seconds,
                warmUp));
    new SparseText(out).print(results, growth);
    json.write(() -> toJson(results, growth, warmUp, seconds));
    return ExitCode.DONE;
  }

  private Map<String, Object> toJson(
      List<SparseResult> results, List<LedgerGrowth> growth, int warmUp, int seconds) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("users", SparseScenario.USERS);
    all.put("usersSampled", SparseScenario.USERS_SAMPLED);
    all.put("instances", SparseScenario.INSTANCES);
    all.put("partitions", SparseScenario.PARTITIONS);
    all.put("seed", seed);
    all.put("warmUpSeconds", warmUp);
    all.put("seconds", seconds);
    all.put("scenarios", results.stream().map(SparseResult::toJson).toList());
    all.put("oneKeyAtEveryInstance", growth.stream().map(LedgerGrowth::toJson).toList());
    return all;
  }
}
