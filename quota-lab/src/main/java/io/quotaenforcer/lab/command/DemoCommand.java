package io.quotaenforcer.lab.command;

import io.quotaenforcer.broker.BrokerException;
import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.lab.demo.Demo;
import io.quotaenforcer.lab.demo.DemoOptions;
import io.quotaenforcer.lab.demo.DemoReport;
import io.quotaenforcer.lab.demo.DemoText;
import io.quotaenforcer.lab.demo.Load;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code quota demo}: everything in one process, under load, with a verdict. */
@Command(
    name = "demo",
    description =
        "Runs a broker, an enforcer and several instances under load, and judges whether they"
            + " kept their promises.")
final class DemoCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--seconds",
      defaultValue = "30",
      description = "How long the load lasts. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--instances",
      defaultValue = "4",
      description = "Admission clients, which share nothing. Default: 4.")
  private int instances;

  @Option(
      names = "--policy",
      defaultValue = "allotment",
      description =
          "How instances decide: allotment, or delayed-count, by a count that is a moment old."
              + " Default: allotment.")
  private String policy = "allotment";

  @Option(
      names = "--rate",
      description = "Requests per second of all instances together. Default: 10000.")
  private double rate = Load.DEFAULT_REQUESTS_PER_SECOND;

  @Option(names = "--seed", defaultValue = "1", description = "Seed of the load. Default: 1.")
  private long seed;

  @Option(names = "--trace", description = "Writes every decision to this folder, as csv.")
  private @Nullable Path trace;

  @Option(names = "--json", description = "Writes the verdict to this file.")
  private @Nullable Path json;

  @Override
  public Integer call() throws Exception {
    DemoOptions options =
        new DemoOptions(
            Duration.ofSeconds(seconds),
            instances,
            policy(),
            rate,
            seed,
            Optional.ofNullable(trace));
    PrintWriter out = new PrintWriter(System.out, true);
    DemoReport report = run(new Demo(options, out, System.console() != null));
    out.println();
    out.print(DemoText.verdict(report));
    out.flush();
    if (json != null) {
      Files.writeString(json, report.toJson());
    }
    return report.kept() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static DemoReport run(Demo demo) throws Exception {
    try {
      return demo.run();
    } catch (BrokerException e) {
      throw new CommandException(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
    }
  }

  private DemoOptions.Policy policy() {
    return switch (policy) {
      case "allotment" -> DemoOptions.Policy.ALLOTMENT;
      case "delayed-count" -> DemoOptions.Policy.DELAYED_COUNT;
      default ->
          throw new ParameterException(
              Objects.requireNonNull(spec).commandLine(),
              "must be allotment or delayed-count: --policy=" + policy);
    };
  }
}
