package io.quotaenforcer.lab.command;

import io.quotaenforcer.cli.CommonOptions;
import java.util.List;
import picocli.CommandLine;

/** The commands of this module, for the {@code quota} program. */
public final class LabCommands {
  private LabCommands() {}

  /** With a stand-in for the benchmarks. */
  public static List<Object> create(CommonOptions options) {
    return create(options, BenchCommand.create());
  }

  public static List<Object> create(CommonOptions options, CommandLine bench) {
    return List.of(
        new UpCommand(options),
        new BrokerCommand(),
        new DemoCommand(),
        new RunLogCommand(options),
        new SampleLogCommand(),
        bench);
  }
}
