package io.quotaenforcer.cli;

import io.quotaenforcer.cli.entitlements.EntitledRule;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.server.text.Printable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quota entitlements set}: gives one quota key a limit, or takes it back. */
@Command(
    name = "set",
    description = {
      "Gives one quota key another limit than its rule's, or takes that back.",
      "It takes effect within a second; permits that instances hold of a higher limit go back."
    })
final class EntitlementsSetCommand implements Callable<Integer> {
  private final EntitlementsCommand command;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin private final EntitlementOptions key = new EntitlementOptions();

  @ArgGroup(multiplicity = "1")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private What what;

  /** One of these. */
  private static final class What {
    @Option(
        names = "--permits",
        paramLabel = "N",
        description = "So many permits in each period of the rule's limit.")
    private @Nullable Long permits;

    @Option(names = "--plan", paramLabel = "NAME", description = "The permits of one of its plans.")
    private @Nullable String plan;

    @Option(names = "--exempt", description = "As many permits as a limit can have.")
    private boolean exempt;

    @Option(names = "--remove", description = "The rule's own limit again.")
    private boolean remove;

    private Optional<Entitlement> entitlement() {
      Long number = permits;
      String name = plan;
      if (number != null) {
        return Optional.of(new Entitlement.Permits(number));
      }
      if (name != null) {
        return Optional.of(new Entitlement.Plan(name));
      }
      return exempt ? Optional.of(new Entitlement.Exempt()) : Optional.empty();
    }
  }

  EntitlementsSetCommand(EntitlementsCommand command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Optional<Entitlement> entitlement = wanted();
    EntitledRule rule = key.rule(command);
    List<QuotaKey> keys = key.keysOf(rule);
    entitlement
        .flatMap(rule::problem)
        .ifPresent(
            problem -> {
              throw new CommandException(ExitCode.USAGE, problem);
            });
    try (PrefixTopics topics = PrefixTopics.open(command.options())) {
      topics.write(keys.stream().map(each -> topics.to(each, entitlement)).toList());
    }
    for (QuotaKey each : keys) {
      String now = EntitlementText.of(rule.rule(), entitlement);
      spec.commandLine().getOut().println(Printable.line(each + ": " + now));
    }
    return ExitCode.DONE;
  }

  private Optional<Entitlement> wanted() {
    try {
      return what.entitlement();
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }
}
