package io.quotaenforcer.lab.command;

import io.quotaenforcer.cli.CommonOptions;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.lab.up.LocalPort;
import io.quotaenforcer.lab.up.Up;
import io.quotaenforcer.lab.up.UpOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota up}: everything that first steps need, in one process. */
@Command(
    name = "up",
    description = {
      "Runs a broker, an enforcer and a gateway in one process, on 127.0.0.1 only, with a few"
          + " sample rules: for first steps, and to develop against.",
      "What it knows stays in a folder. Started on that folder again, also after kill -9, it goes"
          + " on where it was."
    })
final class UpCommand implements Callable<Integer> {
  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      defaultValue = "quota-data",
      description = "Where everything is kept. Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path data;

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description =
          "A rule file, published if there never were any rules. Default: samples, which are"
              + " written to rules.yaml in the folder.")
  private @Nullable Path rules;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "9092",
      description = "Of the broker; 0: any that is free. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--enforcer-port",
      paramLabel = "N",
      defaultValue = "8089",
      description = "Of the enforcer's HTTP server. Default: ${DEFAULT-VALUE}.")
  private int enforcerPort;

  @Option(
      names = "--gateway-port",
      paramLabel = "N",
      defaultValue = "8080",
      description = "Of the gateway's HTTP server. Default: ${DEFAULT-VALUE}.")
  private int gatewayPort;

  @Option(
      names = "--grpc-port",
      paramLabel = "N",
      defaultValue = "8081",
      description = "Of the gateway's gRPC server, for Envoy. Default: ${DEFAULT-VALUE}.")
  private int grpcPort;

  UpCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    return UpErrors.explained(this::run);
  }

  private int run() throws InterruptedException {
    UpOptions.Ports ports =
        new UpOptions.Ports(
            new LocalPort("--port", port),
            new LocalPort("--enforcer-port", enforcerPort),
            new LocalPort("--gateway-port", gatewayPort),
            new LocalPort("--grpc-port", grpcPort));
    UpOptions up = new UpOptions(data, Optional.ofNullable(rules), options.prefix(), ports);
    new Up(up, spec.commandLine().getOut()).run();
    return ExitCode.DONE;
  }
}
