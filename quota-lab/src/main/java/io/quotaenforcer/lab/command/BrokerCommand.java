package io.quotaenforcer.lab.command;

import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.lab.up.LocalBroker;
import io.quotaenforcer.lab.up.LocalPort;
import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota broker}: a Kafka broker that keeps its records, until it is stopped. */
@Command(
    name = "broker",
    description = {
      "Runs a Kafka broker for trials and tests: one node, on 127.0.0.1 only, without replicas.",
      "Its records stay in a folder. Started on that folder again, also after kill -9, it goes on"
          + " where it was."
    })
final class BrokerCommand implements Callable<Integer> {
  private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(20);

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      defaultValue = "quota-data/broker",
      description = "Where its records are. Default: ${DEFAULT-VALUE}, which is that of quota up.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path data;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "9092",
      description = "On 127.0.0.1; 0: any that is free. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Override
  public Integer call() throws InterruptedException {
    return UpErrors.explained(this::run);
  }

  private int run() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Lifecycle lifecycle = Lifecycle.start(CLOSE_DEADLINE)) {
      LocalBroker broker = LocalBroker.open(lifecycle, data, new LocalPort("--port", port));
      out.println(
          "broker at %s, its records in %s; Ctrl-C ends it, and they stay"
              .formatted(broker.bootstrapServers(), data));
      out.println(
          "in other terminals: export QUOTA_BOOTSTRAP_SERVERS=" + broker.bootstrapServers());
      broker.awaitStop();
    }
    return ExitCode.DONE;
  }
}
