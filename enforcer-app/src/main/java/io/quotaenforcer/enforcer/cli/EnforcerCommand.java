package io.quotaenforcer.enforcer.cli;

import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.enforcer.EnforcerProcess;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.enforcer.lifecycle.Lifecycle;
import io.quotaenforcer.enforcer.text.Printable;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.ChangelogStamps;
import io.quotaenforcer.enforcer.topics.ForgottenOffsets;
import io.quotaenforcer.enforcer.topics.SafeTransactions;
import io.quotaenforcer.enforcer.topics.SharedGroup;
import io.quotaenforcer.enforcer.topics.TopicCheck;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota enforcer}: counts and grants until it is stopped. */
@Command(
    name = "enforcer",
    description = "Runs an enforcer. Any number may run; they share the work.")
final class EnforcerCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(EnforcerCommand.class);
  private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(20);

  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings of the enforcer; environment variables QUOTA_* go before them.")
  private @Nullable Path config;

  EnforcerCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException {
    EnforcerConfig settings = options.enforcer(Optional.ofNullable(config));
    options.showLife();
    PrintWriter out = spec.commandLine().getOut();
    try (Lifecycle lifecycle = Lifecycle.start(CLOSE_DEADLINE)) {
      String address = new EnforcerProcess(settings, () -> check(settings), lifecycle).start();
      out.println("enforcing; http://%s/health/ready says when it is ready".formatted(address));
      lifecycle.awaitStop();
    }
    return ExitCode.DONE;
  }

  private static String orAllow(String complaint) {
    return complaint + "; or set allow.unsafe.brokers=true, and strict rules may go over";
  }

  private PrefixInfo check(EnforcerConfig settings) {
    try (Codecs codecs = settings.registry().codecs();
        Brokers brokers = Brokers.connect(settings.kafka(), options.connectTimeout())) {
      Optional<String> unsafe = SafeTransactions.complaint(brokers);
      Topics names = Topics.under(settings.topicPrefix(), Topics.DEFAULT_PARTITIONS, codecs);
      boolean allowed = settings.runtime().allowUnsafeBrokers();
      TopicCheck.Findings findings =
          TopicCheck.run(brokers, settings.topicPrefix(), codecs, System::nanoTime)
              .with(allowed ? Optional.empty() : unsafe.map(EnforcerCommand::orAllow))
              .with(ForgottenOffsets.complaint(brokers, settings.runtime().applicationId()))
              .with(
                  SharedGroup.complaint(
                      brokers, settings.topicPrefix(), names, settings.runtime().applicationId()));
      if (allowed) {
        unsafe.ifPresent(complaint -> log.error("allow.unsafe.brokers=true, but {}", complaint));
      }
      Optional<String> unstamped = ChangelogStamps.set(brokers, settings.runtime().applicationId());
      PrintWriter err = spec.commandLine().getErr();
      unstamped.ifPresent(warning -> err.println(Printable.line("warning: " + warning)));
      findings.warnings().forEach(warning -> err.println(Printable.line("warning: " + warning)));
      if (!findings.isGood()) {
        throw new CommandException(ExitCode.FAILED, String.join("\n", findings.errors()));
      }
      return findings.prefix().orElseThrow();
    }
  }
}
