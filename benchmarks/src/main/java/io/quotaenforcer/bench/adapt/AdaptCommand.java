package io.quotaenforcer.bench.adapt;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.command.OnlyOption;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.simulation.overload.OverloadRow;
import io.quotaenforcer.simulation.overload.OverloadScenario;
import io.quotaenforcer.simulation.overload.Trouble;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quota bench adapt}: limits that follow the load of a service in trouble. */
@Command(
    name = "adapt",
    description = {
      "Simulates services of 10 and of 100 servers that become overloaded while a limit follows"
          + " what they say of their load, beside the best fixed limit known afterwards, a limit"
          + " that is too high, and Netflix' Gradient2 at each server.",
      "Of several seeds the worst of each figure is shown."
    })
public final class AdaptCommand extends Bench {
  @Option(
      names = "--seed",
      defaultValue = "1001",
      paramLabel = "N",
      description =
          "The first, of when requests come and how long they take. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--seeds",
      defaultValue = "3",
      paramLabel = "N",
      description = "How many. Default: ${DEFAULT-VALUE}.")
  private int seeds;

  @Option(
      names = "--servers",
      defaultValue = "10,100",
      split = ",",
      paramLabel = "N",
      description = "Of each service. Default: ${DEFAULT-VALUE}.")
  private List<Integer> servers = List.of();

  @Mixin private final OnlyOption only = new OnlyOption();

  private record Figures(
      long seed, int seeds, List<OverloadRow> rows, @JsonUnwrapped Targets targets) {}

  @Override
  protected void check() {
    require(seeds >= 1 && seeds <= 1_000, "--seeds must be between 1 and 1000: %s", seeds);
    for (int count : servers) {
      require(count >= 1 && count <= 1_000, "--servers must be between 1 and 1000: %s", count);
    }
  }

  @Override
  protected Object measure() {
    Targets targets = new Targets();
    List<OverloadRow> all = new ArrayList<>();
    print(List.of("seeds %d to %d".formatted(seed, seed + seeds - 1), OverloadText.head()));
    for (Trouble trouble : Trouble.values()) {
      for (int count : servers) {
        if (only.wants(trouble.toString())) {
          for (OverloadRow row : new OverloadScenario(trouble, count).run(seed, seeds)) {
            print(List.of(OverloadText.line(row)));
            OverloadText.judge("", row, targets);
            all.add(row);
          }
        }
      }
    }
    print(targets.describe());
    return new Figures(seed, seeds, all, targets);
  }
}
