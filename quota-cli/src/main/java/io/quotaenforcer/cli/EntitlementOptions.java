package io.quotaenforcer.cli;

import io.quotaenforcer.cli.entitlements.EntitledRule;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.ExitCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that name one quota key of a rule. */
final class EntitlementOptions {
  @Option(
      names = "--rule",
      required = true,
      paramLabel = "DOMAIN/ID",
      converter = RuleIdConverter.class,
      description = "The rule, which has limits-from: entitlements.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RuleId rule;

  @Mixin private final HashKeysOption hashKeys = new HashKeysOption();

  @Parameters(
      paramLabel = "ATTRIBUTE=VALUE",
      description =
          "The rule's key attributes, such as user=42. A value that the rule hashes is hashed here;"
              + " or give its hash.")
  private Map<String, String> attributes = new LinkedHashMap<>();

  EntitledRule rule(EntitlementsCommand command) {
    return command.rule(rule, hashKeys.keys(command.options().environment()));
  }

  /** The quota key; two while keys for hashes are rotated. */
  List<QuotaKey> keysOf(EntitledRule entitled) {
    try {
      return entitled.keysOf(EntitlementsCommand.values(entitled, attributes));
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }
}
