package io.quotaenforcer.bench;

import io.quotaenforcer.bench.accuracy.AccuracyCommand;
import io.quotaenforcer.bench.adapt.AdaptCommand;
import io.quotaenforcer.bench.decision.DecisionCommand;
import io.quotaenforcer.bench.explore.ExploreCommand;
import io.quotaenforcer.bench.freshness.FreshnessCommand;
import io.quotaenforcer.bench.gateway.GatewayCommand;
import io.quotaenforcer.bench.moving.MovingCommand;
import io.quotaenforcer.bench.outage.OutageCommand;
import io.quotaenforcer.bench.search.SearchCommand;
import io.quotaenforcer.bench.servers.ServersCommand;
import io.quotaenforcer.bench.simulate.SimulateCommand;
import io.quotaenforcer.bench.sparse.SparseCommand;
import io.quotaenforcer.bench.topology.TopologyCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code quota bench}. */
@Command(name = "bench", description = "Measures and tests this program itself.")
public final class BenchCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  public static CommandLine create() {
    return new CommandLine(new BenchCommand())
        .addSubcommand(new SimulateCommand())
        .addSubcommand(new ExploreCommand())
        .addSubcommand(new AccuracyCommand())
        .addSubcommand(new DecisionCommand())
        .addSubcommand(new SparseCommand())
        .addSubcommand(new FreshnessCommand())
        .addSubcommand(new TopologyCommand())
        .addSubcommand(new OutageCommand())
        .addSubcommand(new GatewayCommand())
        .addSubcommand(new MovingCommand())
        .addSubcommand(new AdaptCommand())
        .addSubcommand(new ServersCommand())
        .addSubcommand(new SearchCommand());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command");
  }
}
