package io.quotaenforcer.cli;

import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.rules.Authorship;
import io.quotaenforcer.enforcer.rules.PlannedChanges;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.enforcer.rules.RuleStore;
import io.quotaenforcer.enforcer.rules.RulesException;
import io.quotaenforcer.rules.RuleDiffText;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleFileLoader;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code quota rules}: check, explain, import, publish, show and take back rules. */
@Command(
    name = "rules",
    description = "Checks, explains, imports, publishes, shows and rolls back rules.",
    synopsisSubcommandLabel = "COMMAND")
public final class RulesCommand implements Runnable {
  static final int OK = 0;
  static final int FAILED = 1;

  private final Supplier<RuleStore> stores;
  private final Supplier<PrefixInfo> prefix;
  private final BooleanSupplier json;
  private final Map<String, String> environment;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private RulesCommand(
      Supplier<RuleStore> stores,
      Supplier<PrefixInfo> prefix,
      BooleanSupplier json,
      Map<String, String> environment) {
    this.stores = stores;
    this.prefix = prefix;
    this.json = json;
    this.environment = environment;
  }

  /**
   * The command with its subcommands.
   *
   * @param stores opens the published rules; asked only once the command line has been read
   * @param prefix reads the facts that the published rules' topics were created with
   * @param json whether to answer in JSON rather than for people
   * @param environment variables that options have their defaults from
   */
  public static CommandLine create(
      Supplier<RuleStore> stores,
      Supplier<PrefixInfo> prefix,
      BooleanSupplier json,
      Map<String, String> environment) {
    RulesCommand rules = new RulesCommand(stores, prefix, json, environment);
    return new CommandLine(rules)
        .addSubcommand(new RulesValidateCommand())
        .addSubcommand(new RulesExplainCommand(rules))
        .addSubcommand(new RulesImportEnvoyCommand())
        .addSubcommand(new RulesApplyCommand(rules))
        .addSubcommand(new RulesListCommand(rules))
        .addSubcommand(new RulesGetCommand(rules))
        .addSubcommand(new RulesDeleteCommand(rules))
        .addSubcommand(new RulesHistoryCommand(rules))
        .addSubcommand(new RulesRollbackCommand(rules));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "missing command");
  }

  /** The facts that the published rules' topics were created with. */
  PrefixInfo prefix() {
    return prefix.get();
  }

  Map<String, String> environment() {
    return environment;
  }

  boolean json() {
    return json.getAsBoolean();
  }

  /** Runs with the published rules; reports failures on {@code err}. */
  int withRules(PrintWriter err, ToIntFunction<RuleAdmin> command) {
    try (RuleStore store = stores.get()) {
      return command.applyAsInt(new RuleAdmin(store));
    } catch (RulesException e) {
      err.println("error: " + Printable.line(String.valueOf(e.getMessage())));
      return ExitCode.of(e);
    }
  }

  /** Publishes changes unless it is a dry run, and shows them. */
  int publish(CommandSpec of, PlannedChanges planned, AuthorOptions author, boolean dryRun) {
    PrintWriter out = of.commandLine().getOut();
    Authorship by = author.get(of);
    if (!dryRun) {
      planned.publish(by);
    }
    if (json()) {
      out.println(RulesJson.changes(planned.changes(), dryRun));
    } else {
      RuleDiffText.lines(planned.changes()).forEach(line -> out.println(Printable.line(line)));
      if (dryRun) {
        out.println("dry run: nothing was published");
      }
    }
    return OK;
  }

  /** The rules of a file; empty when it has problems, which are printed on {@code err}. */
  static Optional<RuleFile.Valid> load(Path path, PrintWriter err) {
    RuleFile file = RuleFileLoader.load(path);
    if (file instanceof RuleFile.Invalid invalid) {
      invalid.problems().forEach(err::println);
      return Optional.empty();
    }
    return Optional.of((RuleFile.Valid) file);
  }
}
