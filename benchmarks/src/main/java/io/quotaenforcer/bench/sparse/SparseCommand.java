package io.quotaenforcer.bench.sparse;

import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.command.OnlyOption;
import io.quotaenforcer.cli.text.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quota bench sparse}: the price of many clients with small limits. */
@Command(
    name = "sparse",
    description = {
      "Measures what many users with small limits cost: 1,000,000 users, 10 permits per minute each,"
          + " 100 instances, each request at any of them.",
      "One of 16 partitions is simulated, with all of its 62,500 users. Simulated: one way 10 ms, a"
          + " commit every 20 ms."
    })
public final class SparseCommand extends Bench {
  private static final int WARM_UP_SECONDS = 60;
  private static final int SECONDS = 60;
  private static final int QUICK_WARM_UP_SECONDS = 2;
  private static final int QUICK_SECONDS = 6;
  private static final String PERCENT = "%.2f %%";
  private static final String FIGURE = "%.2f";
  private static final String BYTES = "%,.0f";

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

  private record Figures(
      int users,
      int usersSampled,
      int instances,
      int partitions,
      long seed,
      int warmUpSeconds,
      int seconds,
      List<SparseResult> scenarios,
      List<LedgerGrowth> oneKeyAtEveryInstance) {}

  @Override
  protected Object measure() {
    int warmUp = quick ? QUICK_WARM_UP_SECONDS : WARM_UP_SECONDS;
    int seconds = quick ? QUICK_SECONDS : SECONDS;
    List<SparseResult> results = new ArrayList<>();
    for (SparseScenario scenario : SparseScenario.all()) {
      if (!only.wants(scenario.name())) {
        continue;
      }
      long started = System.nanoTime();
      results.add(new SparseRun(scenario, new SplittableRandom(seed)).run(warmUp, seconds));
      say(
          "measured: %s, %d s, in %.0f s"
              .formatted(scenario.name(), seconds, (System.nanoTime() - started) / 1e9));
    }
    List<LedgerGrowth> growth = LedgerGrowth.measure(seed);
    out()
        .println(
            "%,d users, %,d of them sampled (one partition of %d), %d instances, seed %d; %d s after %d s"
                .formatted(
                    SparseScenario.USERS,
                    SparseScenario.USERS_SAMPLED,
                    SparseScenario.PARTITIONS,
                    SparseScenario.INSTANCES,
                    seed,
                    seconds,
                    warmUp));
    print(table(results));
    out()
        .println(
            "%none key, one request at each of %d instances".formatted(SparseScenario.INSTANCES));
    TextTable grown = TextTable.ofFigures("", "holders", "cells", "ledger bytes");
    growth.forEach(
        each ->
            grown.row(each.after(), each.holders(), each.cells(), "%,d".formatted(each.bytes())));
    print(grown.lines());
    return new Figures(
        SparseScenario.USERS,
        SparseScenario.USERS_SAMPLED,
        SparseScenario.INSTANCES,
        SparseScenario.PARTITIONS,
        seed,
        warmUp,
        seconds,
        results,
        growth);
  }

  /** A scenario in each column. */
  private static List<String> table(List<SparseResult> results) {
    Map<String, Function<SparseResult, String>> lines = new LinkedHashMap<>();
    lines.put("requests", of("%,d", SparseResult::requests));
    lines.put("over, of all admitted within", of(PERCENT, SparseResult::overPct));
    lines.put(
        "over, per abusive user and minute, of the limit",
        of(PERCENT, SparseResult::overPerAbusiveUserPct));
    lines.put("over, worst user and minute, permits", of("%d", SparseResult::worstOverPermits));
    lines.put("throttled", of(PERCENT, SparseResult::throttledPct));
    lines.put("  although there was room", of(PERCENT, SparseResult::throttledWithRoomPct));
    lines.put(
        "  because the instance had not seen the key",
        of(PERCENT, SparseResult::throttledUnseenPct));
    lines.put(
        "turned away, of what an exact counter admits", of(PERCENT, SparseResult::turnedAwayPct));
    lines.put("admitted at once, of those that may wait", of(PERCENT, SparseResult::atOncePct));
    lines.put("wait, p50, ms", of(FIGURE, SparseResult::waitP50Millis));
    lines.put("wait, p99, ms", of(FIGURE, SparseResult::waitP99Millis));
    traffic(lines, "reports", SparseResult::reports);
    traffic(lines, "snapshots", SparseResult::snapshots);
    traffic(lines, "exhausted", SparseResult::exhausted);
    lines.put(
        "ledger rows written per request",
        of(FIGURE, result -> result.ledgerRowsWritten().recordsPerRequest()));
    lines.put(
        "ledger bytes written per request",
        of(BYTES, result -> result.ledgerRowsWritten().bytesPerRequest()));
    lines.put("ledger bytes per key", of(BYTES, SparseResult::ledgerBytesPerKey));
    lines.put("ledger bytes, largest key", of("%,d", SparseResult::mostLedgerBytesOfAKey));
    lines.put("holders per key", of(FIGURE, SparseResult::holdersPerKey));
    TextTable table =
        TextTable.ofFigures(
            Stream.concat(Stream.of(""), results.stream().map(it -> it.scenario().name()))
                .toArray(String[]::new));
    lines.forEach(
        (name, figure) ->
            table.row(Stream.concat(Stream.of(name), results.stream().map(figure)).toArray()));
    return table.lines();
  }

  private static void traffic(
      Map<String, Function<SparseResult, String>> lines,
      String name,
      Function<SparseResult, Traffic.PerRequest> of) {
    lines.put(
        name + ": records per request", of(FIGURE, result -> of.apply(result).recordsPerRequest()));
    lines.put(
        name + ": bytes per request", of(BYTES, result -> of.apply(result).bytesPerRequest()));
    lines.put(
        name + ": quota keys per request",
        of(FIGURE, result -> of.apply(result).quotaKeysPerRequest()));
  }

  private static Function<SparseResult, String> of(
      String format, Function<SparseResult, Object> figure) {
    return result -> format.formatted(figure.apply(result));
  }
}
