package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.EnforcerRun;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota enforcer}: counts and grants until it is stopped. */
@Command(
    name = "enforcer",
    description = "Runs an enforcer. Start as many as you like: they share the work.")
final class EnforcerCommand implements Callable<Integer> {

  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The enforcer's settings. Environment variables QUOTA_* override them.")
  private @Nullable Path config;

  EnforcerCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    EnforcerConfig settings = options.enforcer(Optional.ofNullable(config));
    options.showLife();
    CommandLine line = spec.commandLine();
    new EnforcerRun(settings, options.connectTimeout(), line.getOut(), line.getErr()).run();
    return ExitCode.DONE;
  }
}
