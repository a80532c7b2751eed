package io.quotaenforcer.cli;

import io.quotaenforcer.cli.entitlements.EntitledRule;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.enforcer.rules.RuleStore;
import io.quotaenforcer.enforcer.rules.RulesException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code quota entitlements}: limits of single quota keys by data. */
@Command(
    name = "entitlements",
    description = "Sets and shows the limits that data gives single quota keys.",
    synopsisSubcommandLabel = "COMMAND")
final class EntitlementsCommand implements Runnable {
  private final CommonOptions options;
  private final Supplier<RuleStore> stores;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  private EntitlementsCommand(CommonOptions options, Supplier<RuleStore> stores) {
    this.options = options;
    this.stores = stores;
  }

  /**
   * The command with its subcommands.
   *
   * @param stores opens the published rules; asked only once the command line has been read
   */
  static CommandLine create(CommonOptions options, Supplier<RuleStore> stores) {
    EntitlementsCommand entitlements = new EntitlementsCommand(options, stores);
    return new CommandLine(entitlements)
        .addSubcommand(new EntitlementsSetCommand(entitlements))
        .addSubcommand(new EntitlementsGetCommand(entitlements))
        .addSubcommand(new EntitlementsImportCommand(entitlements));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command");
  }

  CommonOptions options() {
    return options;
  }

  /**
   * A published rule that takes limits from data.
   *
   * @throws CommandException if there is none, or it does not
   */
  EntitledRule rule(RuleId id, HashKeys keys) {
    try (RuleStore store = stores.get()) {
      return new EntitledRule(new RuleAdmin(store).get(id), keys);
    } catch (RulesException | IllegalArgumentException e) {
      throw new CommandException(ExitCode.of(e), String.valueOf(e.getMessage()), e);
    }
  }

  /** The values of the rule's key attributes, in their order. */
  static List<String> values(EntitledRule rule, Map<String, String> attributes) {
    if (!attributes.keySet().equals(Set.copyOf(rule.attributes()))) {
      throw new CommandException(
          ExitCode.USAGE,
          "give the key attributes of the rule, which are %s, as ATTRIBUTE=VALUE"
              .formatted(rule.attributes()));
    }
    return rule.attributes().stream().map(attributes::get).toList();
  }
}
