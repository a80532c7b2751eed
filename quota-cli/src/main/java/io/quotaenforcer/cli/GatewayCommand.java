package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.gateway.GatewayRun;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota gateway}: decides for proxies and programs until it is stopped. */
@Command(
    name = "gateway",
    description =
        "Runs a gateway: decisions over HTTP, and Envoy's rate limit service. Start as many as you"
            + " like: together they hold a limit.")
final class GatewayCommand implements Callable<Integer> {

  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The gateway's settings. Environment variables QUOTA_* override them.")
  private @Nullable Path config;

  GatewayCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    options.showLife();
    new GatewayRun(options.gateway(Optional.ofNullable(config)), spec.commandLine().getOut()).run();
    return ExitCode.DONE;
  }
}
