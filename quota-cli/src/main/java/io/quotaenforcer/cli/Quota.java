package io.quotaenforcer.cli;

import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.enforcer.clock.HostClocks;
import io.quotaenforcer.enforcer.rules.RulesTopic;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.TopicCheck;
import io.quotaenforcer.schemas.codec.Codecs;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The {@code quota} command. */
@Command(
    name = "quota",
    description = "Quotas decided locally and counted on Kafka Streams.",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    versionProvider = VersionProvider.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done.",
      "1:A promise or check failed, or the request was refused.",
      "2:The command line or a file is wrong.",
      "3:Kafka, the schema registry or an enforcer does not answer.",
      "130:Ended by Ctrl-C (143: by SIGTERM)."
    })
public final class Quota implements Runnable {
  @Mixin private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private Quota(CommonOptions options) {
    this.options = options;
  }

  /**
   * Runs a command line and returns its exit code.
   *
   * @param more commands that the program adds to those of this module
   */
  public static int run(MoreCommands more, String... arguments) {
    return create(
            stream(FileDescriptor.out),
            stream(FileDescriptor.err),
            Map.copyOf(System.getenv()),
            more)
        .execute(arguments);
  }

  /** All commands, writing to {@code out} and {@code err}. */
  public static CommandLine create(
      PrintWriter out, PrintWriter err, Map<String, String> environment, MoreCommands more) {
    CommonOptions options = new CommonOptions(environment);
    CommandErrors errors = new CommandErrors(options);
    CommandLine commands =
        new CommandLine(new Quota(options))
            .addSubcommand(TopicsCommand.create(options))
            .addSubcommand(
                RulesCommand.create(
                    () -> rules(options), () -> prefix(options), options::json, environment))
            .addSubcommand(EntitlementsCommand.create(options, () -> rules(options)))
            .addSubcommand(PenaltiesCommand.create(options, () -> rules(options)))
            .addSubcommand(LimitsCommand.create(options))
            .addSubcommand(UsageCommand.create(options))
            .addSubcommand(DeferredCommand.create(options))
            .addSubcommand(DeadLettersCommand.create(options))
            .addSubcommand(new EnforcerCommand(options))
            .addSubcommand(new GatewayCommand(options))
            .addSubcommand(new CheckCommand(options))
            .addSubcommand(new DoctorCommand(options, HostClocks.system()))
            .addSubcommand(new BacktestCommand(options))
            .addSubcommand(new HashCommand(options));
    more.create(options).forEach(commands::addSubcommand);
    commands
        .addSubcommand(new VersionCommand())
        .addSubcommand(new HelpCommand())
        .setOut(out)
        .setErr(err)
        .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler(errors)
        .setParameterExceptionHandler(errors);
    commands.setExecutionStrategy(
        parsed -> {
          List<ParameterException> wrong = wrong(parsed);
          if (!wrong.isEmpty()) {
            return errors.show(wrong);
          }
          options.applyVerbosity();
          return new CommandLine.RunLast().execute(parsed);
        });
    collectErrors(commands);
    return commands;
  }

  /** All mistakes of a command line are reported at once. */
  private static void collectErrors(CommandLine command) {
    command.getCommandSpec().parser().collectErrors(true);
    command.getSubcommands().values().forEach(Quota::collectErrors);
  }

  private static List<ParameterException> wrong(ParseResult parsed) {
    Set<ParameterException> wrong = new LinkedHashSet<>();
    for (ParseResult at = parsed; at != null; at = at.subcommand()) {
      at.errors().stream().map(error -> (ParameterException) error).forEach(wrong::add);
    }
    return List.copyOf(wrong);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command");
  }

  /** Answers within seconds if Kafka is unavailable, which a consumer would not. */
  private static RulesTopic rules(CommonOptions options) {
    options.connect().close();
    return RulesTopic.inKafka(
        options.kafka().consumerProperties(),
        options.kafka().producerProperties(),
        options.wire(),
        options.connectTimeout());
  }

  /** Default facts for topics that cannot be inspected: those that they would be created with. */
  private static PrefixInfo prefix(CommonOptions options) {
    try (Codecs codecs = options.codecs();
        Brokers brokers = options.connect()) {
      return TopicCheck.run(brokers, options.prefix(), codecs, System::nanoTime)
          .prefix()
          .orElse(RulesExplainCommand.DEFAULT_PREFIX);
    }
  }

  private static PrintWriter stream(FileDescriptor descriptor) {
    return new PrintWriter(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
