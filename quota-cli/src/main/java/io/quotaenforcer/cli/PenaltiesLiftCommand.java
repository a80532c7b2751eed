package io.quotaenforcer.cli;

import io.quotaenforcer.cli.entitlements.KeyedRule;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.enforcer.rules.RuleStore;
import io.quotaenforcer.enforcer.rules.RulesException;
import io.quotaenforcer.server.text.Printable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota penalties lift}: ends the penalty of one quota key. */
@Command(
    name = "lift",
    description = {
      "Ends the penalty of one quota key, and forgets what would bring the next one.",
      "It takes effect within a second, once an enforcer has read it: quota penalties list shows"
          + " it. A key without a penalty stays as it is."
    })
final class PenaltiesLiftCommand implements Callable<Integer> {
  private final CommonOptions options;
  private final Supplier<RuleStore> stores;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--rule",
      required = true,
      paramLabel = "DOMAIN/ID",
      converter = RuleIdConverter.class,
      description = "The rule, which has a penalty.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RuleId rule;

  @Mixin private final HashKeysOption hashKeys = new HashKeysOption();

  @Parameters(
      paramLabel = "ATTRIBUTE=VALUE",
      description =
          "The rule's key attributes, such as user=42. A value that the rule hashes is hashed here;"
              + " or give its hash.")
  private Map<String, String> attributes = new LinkedHashMap<>();

  PenaltiesLiftCommand(CommonOptions options, Supplier<RuleStore> stores) {
    this.options = options;
    this.stores = stores;
  }

  @Override
  public Integer call() {
    List<QuotaKey> keys = keys(new KeyedRule(published(), hashKeys.keys(options.environment())));
    try (PrefixTopics topics = PrefixTopics.open(options)) {
      topics.write(keys.stream().map(topics.records()::toLift).toList());
    }
    for (QuotaKey each : keys) {
      spec.commandLine().getOut().println(Printable.line(asked(each)));
    }
    return ExitCode.DONE;
  }

  /** It is written, and an enforcer does it: whether it has is not looked at. */
  static String asked(QuotaKey key) {
    return "%s: asked to be without a penalty; quota penalties list --rule %s shows whether it is"
        .formatted(key, key.rule());
  }

  private Rule published() {
    Rule published;
    try (RuleStore store = stores.get()) {
      published = new RuleAdmin(store).get(rule);
    } catch (RulesException | IllegalArgumentException e) {
      throw new CommandException(ExitCode.of(e), String.valueOf(e.getMessage()), e);
    }
    if (published.penalty().isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE,
          "rule %s has no penalty, so that no quota key is under one; name the rule that refuses the request"
              .formatted(rule));
    }
    return published;
  }

  private List<QuotaKey> keys(KeyedRule keyed) {
    if (!attributes.keySet().equals(Set.copyOf(keyed.attributes()))) {
      throw new CommandException(
          ExitCode.USAGE,
          "give the key attributes of the rule, which are %s, as ATTRIBUTE=VALUE"
              .formatted(keyed.attributes()));
    }
    try {
      return keyed.keysOf(keyed.attributes().stream().map(attributes::get).toList());
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }
}
